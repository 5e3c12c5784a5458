// A sphere falls on a plane: 200 steps of a thirtieth of a second, one position a line. The same scene as in
// the folders beside this one, which must print the same.
import * as physx from "./index";
import { addressOf, PxDefaultCpuDispatcherWaitForWorkMode, PxIDENTITY, PxVec3 } from "./index";

declare const console: { log(text: string): void };

const foundation = physx.physx_create_foundation();
const physics = physx.physx_create_physics(foundation);

const waiting = PxDefaultCpuDispatcherWaitForWorkMode.WaitForWork;
const dispatcher = physx.phys_PxDefaultCpuDispatcherCreate(1, null, waiting, 0);
const description = physx.PxSceneDesc_new(physx.PxPhysics_getTolerancesScale(physics));
description.gravity = new PxVec3({ y: -9.81 });
description.cpuDispatcher = dispatcher;
description.filterShader = physx.get_default_simulation_filter_shader();
const scene = physx.PxPhysics_createScene_mut(physics, description);

const material = physx.PxPhysics_createMaterial_mut(physics, 0.5, 0.5, 0.6);
const plane = physx.phys_PxCreatePlane(physics, physx.PxPlane_new_1(0, 1, 0, 0), material);
physx.PxScene_addActor_mut(scene, plane, null);

const geometry = physx.PxSphereGeometry_new(1);
const start = physx.PxTransform_new_1(new PxVec3({ y: 40 }));
const offset = physx.PxTransform_new_2(PxIDENTITY.PxIdentity);
const sphere = physx.phys_PxCreateDynamic(physics, start, addressOf(geometry), material, 10, offset);
physx.PxRigidBody_setAngularDamping_mut(sphere, 0.5);
physx.PxScene_addActor_mut(scene, sphere, null);

for (let step = 0; step < 200; step++) {
  physx.PxScene_simulate_mut(scene, 1 / 30, null, null, 0, true);
  const error = new Uint32Array(1);
  physx.PxScene_fetchResults_mut(scene, true, error);
  if (error[0] !== 0) throw new Error(`step ${step} failed`);
  const { x, y, z } = physx.PxRigidActor_getGlobalPose(sphere).p;
  console.log(`${step} ${x.toFixed(6)} ${y.toFixed(6)} ${z.toFixed(6)}`);
}

physx.PxScene_release_mut(scene);
physx.PxDefaultCpuDispatcher_release_mut(dispatcher);
physx.PxPhysics_release_mut(physics);
