//! A sphere falls on a plane: 200 steps of a thirtieth of a second, one position a line. The same scene as in
//! the folders beside this one, which must print the same.

use physx_sys::*;
use std::ptr::null_mut;

fn main() {
    // SAFETY: every object is made before it is used, and released after, in the order that PhysX asks for.
    unsafe {
        let foundation = physx_create_foundation();
        let physics = physx_create_physics(foundation);

        let dispatcher = phys_PxDefaultCpuDispatcherCreate(
            1,
            null_mut(),
            PxDefaultCpuDispatcherWaitForWorkMode::WaitForWork,
            0,
        );
        let mut description = PxSceneDesc_new(PxPhysics_getTolerancesScale(physics));
        description.gravity = PxVec3 { x: 0.0, y: -9.81, z: 0.0 };
        description.cpuDispatcher = dispatcher.cast();
        description.filterShader = get_default_simulation_filter_shader();
        let scene = PxPhysics_createScene_mut(physics, &description);

        let material = PxPhysics_createMaterial_mut(physics, 0.5, 0.5, 0.6);
        let plane = phys_PxCreatePlane(physics, &PxPlane_new_1(0.0, 1.0, 0.0, 0.0), material);
        PxScene_addActor_mut(scene, plane.cast(), null_mut());

        let geometry = PxSphereGeometry_new(1.0);
        let start = PxTransform_new_1(&PxVec3 { x: 0.0, y: 40.0, z: 0.0 });
        let offset = PxTransform_new_2(PxIDENTITY::PxIdentity);
        let sphere =
            phys_PxCreateDynamic(physics, &start, (&raw const geometry).cast(), material, 10.0, &offset);
        PxRigidBody_setAngularDamping_mut(sphere.cast(), 0.5);
        PxScene_addActor_mut(scene, sphere.cast(), null_mut());

        for step in 0..200 {
            PxScene_simulate_mut(scene, 1.0 / 30.0, null_mut(), null_mut(), 0, true);
            let mut error = 0;
            PxScene_fetchResults_mut(scene, true, &mut error);
            assert_eq!(error, 0, "step {step} failed");
            let PxVec3 { x, y, z } = PxRigidActor_getGlobalPose(sphere.cast()).p;
            println!("{step} {x:.6} {y:.6} {z:.6}");
        }

        PxScene_release_mut(scene);
        PxDefaultCpuDispatcher_release_mut(dispatcher);
        PxPhysics_release_mut(physics);
    }
}
