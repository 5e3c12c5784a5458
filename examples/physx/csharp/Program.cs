// A sphere falls on a plane: 200 steps of a thirtieth of a second, one position a line. The same scene as in
// the folders beside this one, which must print the same.
using System;
using System.Globalization;
using Physx;
using static Physx.NativeMethods;

internal static unsafe class Program
{
    private static void Main()
    {
        PxFoundation* foundation = physx_create_foundation();
        PxPhysics* physics = physx_create_physics(foundation);

        PxDefaultCpuDispatcher* dispatcher = phys_PxDefaultCpuDispatcherCreate(
            1, null, PxDefaultCpuDispatcherWaitForWorkMode.WaitForWork, 0);
        PxSceneDesc description = PxSceneDesc_new(PxPhysics_getTolerancesScale(physics));
        description.Gravity = new PxVec3 { Y = -9.81f };
        description.CpuDispatcher = (PxCpuDispatcher*)dispatcher;
        description.FilterShader = get_default_simulation_filter_shader();
        PxScene* scene = PxPhysics_createScene_mut(physics, &description);

        PxMaterial* material = PxPhysics_createMaterial_mut(physics, 0.5f, 0.5f, 0.6f);
        PxPlane ground = PxPlane_new_1(0, 1, 0, 0);
        PxRigidStatic* plane = phys_PxCreatePlane(physics, &ground, material);
        PxScene_addActor_mut(scene, (PxActor*)plane, null);

        PxSphereGeometry geometry = PxSphereGeometry_new(1);
        PxVec3 above = new PxVec3 { Y = 40 };
        PxTransform start = PxTransform_new_1(&above);
        PxTransform offset = PxTransform_new_2(PxIDENTITY.PxIdentity);
        PxRigidDynamic* sphere = phys_PxCreateDynamic(physics, &start, (PxGeometry*)&geometry, material, 10, &offset);
        PxRigidBody_setAngularDamping_mut((PxRigidBody*)sphere, 0.5f);
        PxScene_addActor_mut(scene, (PxActor*)sphere, null);

        for (int step = 0; step < 200; step++)
        {
            PxScene_simulate_mut(scene, 1.0f / 30.0f, null, null, 0, 1);
            uint error = 0;
            PxScene_fetchResults_mut(scene, 1, &error);
            if (error != 0) throw new InvalidOperationException($"step {step} failed");
            PxVec3 at = PxRigidActor_getGlobalPose((PxRigidActor*)sphere).P;
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{step} {at.X:F6} {at.Y:F6} {at.Z:F6}"));
        }

        PxScene_release_mut(scene);
        PxDefaultCpuDispatcher_release_mut(dispatcher);
        PxPhysics_release_mut(physics);
    }
}
