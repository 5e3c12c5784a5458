"""A sphere falls on a plane: 200 steps of a thirtieth of a second, one position a line. The same scene as in
the folders beside this one, which must print the same."""

import physx
from physx import PxDefaultCpuDispatcherWaitForWorkMode, PxIDENTITY, PxVec3


def main() -> None:
    foundation = physx.physx_create_foundation()
    simulation = physx.physx_create_physics(foundation)

    waiting = PxDefaultCpuDispatcherWaitForWorkMode.WaitForWork
    dispatcher = physx.phys_PxDefaultCpuDispatcherCreate(1, None, waiting, 0)
    description = physx.PxSceneDesc_new(physx.PxPhysics_getTolerancesScale(simulation))
    description.gravity = PxVec3(x=0.0, y=-9.81, z=0.0)
    description.cpuDispatcher = dispatcher
    description.filterShader = physx.get_default_simulation_filter_shader()
    scene = physx.PxPhysics_createScene_mut(simulation, description)

    material = physx.PxPhysics_createMaterial_mut(simulation, 0.5, 0.5, 0.6)
    plane = physx.phys_PxCreatePlane(simulation, physx.PxPlane_new_1(0.0, 1.0, 0.0, 0.0), material)
    physx.PxScene_addActor_mut(scene, plane, None)

    geometry = physx.PxSphereGeometry_new(1.0)
    start = physx.PxTransform_new_1(PxVec3(x=0.0, y=40.0, z=0.0))
    offset = physx.PxTransform_new_2(PxIDENTITY.PxIdentity)
    sphere = physx.phys_PxCreateDynamic(simulation, start, geometry._address_, material, 10.0, offset)
    physx.PxRigidBody_setAngularDamping_mut(sphere, 0.5)
    physx.PxScene_addActor_mut(scene, sphere, None)

    for step in range(200):
        physx.PxScene_simulate_mut(scene, 1.0 / 30.0, None, None, 0, True)
        error = bytearray(4)
        physx.PxScene_fetchResults_mut(scene, True, memoryview(error).cast("I"))
        assert not any(error), f"step {step} failed"
        position = physx.PxRigidActor_getGlobalPose(sphere).p
        print(f"{step} {position.x:.6f} {position.y:.6f} {position.z:.6f}")

    physx.PxScene_release_mut(scene)
    physx.PxDefaultCpuDispatcher_release_mut(dispatcher)
    physx.PxPhysics_release_mut(simulation)


main()
