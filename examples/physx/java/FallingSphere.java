// A sphere falls on a plane: 200 steps of a thirtieth of a second, one position a line. The same scene as in
// the folders beside this one, which must print the same.
import static physx.Physx.*;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Locale;
import physx.NativeMemory;
import physx.PxActor;
import physx.PxCpuDispatcher;
import physx.PxDefaultCpuDispatcher;
import physx.PxDefaultCpuDispatcherWaitForWorkMode;
import physx.PxFoundation;
import physx.PxGeometry;
import physx.PxIDENTITY;
import physx.PxMaterial;
import physx.PxPhysics;
import physx.PxPlane;
import physx.PxRigidActor;
import physx.PxRigidBody;
import physx.PxRigidDynamic;
import physx.PxRigidStatic;
import physx.PxScene;
import physx.PxSceneDesc;
import physx.PxSphereGeometry;
import physx.PxTransform;
import physx.PxVec3;

final class FallingSphere {
    private FallingSphere() {}

    /** What has a class of its own is an actor too, at the same address, as C++ would take it. */
    private static PxActor actor(NativeMemory one) {
        return new PxActor(one.segment());
    }

    public static void main(String[] arguments) {
        try (Arena arena = Arena.ofConfined()) {
            PxFoundation foundation = physxCreateFoundation();
            PxPhysics physics = physxCreatePhysics(foundation);

            PxDefaultCpuDispatcher dispatcher = phys_PxDefaultCpuDispatcherCreate(
                    1, (int[]) null, PxDefaultCpuDispatcherWaitForWorkMode.WAIT_FOR_WORK, 0);
            PxSceneDesc description = PxSceneDesc_new(arena, PxPhysics_getTolerancesScale(physics));
            description.gravity().y(-9.81f);
            description.cpuDispatcher(new PxCpuDispatcher(dispatcher.segment()));
            description.filterShader(getDefaultSimulationFilterShader());
            PxScene scene = PxPhysics_createScene_mut(physics, description);

            PxMaterial material = PxPhysics_createMaterial_mut(physics, 0.5f, 0.5f, 0.6f);
            PxPlane ground = PxPlane_new_1(arena, 0f, 1f, 0f, 0f);
            PxRigidStatic plane = phys_PxCreatePlane(physics, ground, material);
            PxScene_addActor_mut(scene, actor(plane), null);

            PxSphereGeometry geometry = PxSphereGeometry_new(arena, 1f);
            PxTransform start = PxTransform_new_1(arena, PxVec3.allocate(arena).y(40f));
            PxTransform offset = PxTransform_new_2(arena, PxIDENTITY.PX_IDENTITY);
            PxRigidDynamic sphere = phys_PxCreateDynamic(
                    physics, start, new PxGeometry(geometry.segment()), material, 10f, offset);
            PxRigidBody_setAngularDamping_mut(new PxRigidBody(sphere.segment()), 0.5f);
            PxScene_addActor_mut(scene, actor(sphere), null);

            int[] error = new int[1];
            PxRigidActor moving = new PxRigidActor(sphere.segment());
            // The same memory for each pose.
            SegmentAllocator poses = SegmentAllocator.prefixAllocator(arena.allocate(PxTransform.LAYOUT));
            for (int step = 0; step < 200; step++) {
                PxScene_simulate_mut(scene, 1f / 30f, null, MemorySegment.NULL, 0, true);
                PxScene_fetchResults_mut(scene, true, error);
                if (error[0] != 0) {
                    throw new IllegalStateException("step " + step + " failed");
                }
                PxVec3 at = PxRigidActor_getGlobalPose(poses, moving).p();
                System.out.println(
                        String.format(Locale.ROOT, "%d %.6f %.6f %.6f", step, at.x(), at.y(), at.z()));
            }

            PxScene_release_mut(scene);
            PxDefaultCpuDispatcher_release_mut(dispatcher);
            PxPhysics_release_mut(physics);
        }
    }
}
