import { Bodies } from "./index";

declare const console: { log(...values: unknown[]): void };

{
  using bodies = new Bodies(1000);
  const { speed, id, place, engine } = bodies.columns();
  const speeds: Float32Array = speed.elements();
  const ids: BigUint64Array = id.elements();
  if (ids[999] !== 999n << 33n) throw new Error("the ids are not there");
  console.log(speeds.reduce((sum, one) => sum + one, 0).toFixed(0), bodies.total().toFixed(0));
  for (let at = 0; at < speeds.length; at++) speeds[at] *= 2;
  engine.thrust.elements().fill(1.5);
  const places = place.elements();
  if (places.length !== 1000 || places.at(7).row !== 7) throw new Error("the places are not there");
  places.at(7).column = 41;
  console.log(bodies.total().toFixed(0));
}
{
  using nothing = new Bodies(0);
  if (nothing.columns().speed.elements().length !== 0) throw new Error("there is nothing");
}
