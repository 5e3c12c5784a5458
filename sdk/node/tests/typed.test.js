import assert from "node:assert/strict";
import test from "node:test";
import { Harness } from "upcall/testing";

/** As `upcall bindgen` writes them: classes with `pack` and `unpack`. */
class Reading {
  constructor({ sensor = 0n, celsius = 0 } = {}) {
    Object.assign(this, { sensor, celsius });
  }
  static pack({ sensor, celsius }) {
    const view = new DataView(new ArrayBuffer(16));
    view.setBigUint64(0, sensor, true);
    view.setFloat64(8, celsius, true);
    return new Uint8Array(view.buffer);
  }
  static unpack(bytes) {
    if (bytes.length !== 16) throw new Error(`the bytes end ${16 - bytes.length} too early at byte 0`);
    const view = new DataView(bytes.buffer, bytes.byteOffset, 16);
    return new Reading({ sensor: view.getBigUint64(0, true), celsius: view.getFloat64(8, true) });
  }
}
class Alarm {
  constructor(text) {
    this.text = text;
  }
  static pack({ text }) {
    return new TextEncoder().encode(text);
  }
  static unpack(bytes) {
    return new Alarm(new TextDecoder().decode(bytes));
  }
}

class Watch {
  static takes = Reading;
  static gives = [Alarm, Reading];
  onObject(object, emit) {
    const { value } = object;
    if (value.celsius > 90) emit.put(object.key, new Alarm(`${value.sensor}: ${value.celsius}`));
    else emit.putTo("/others", object.key, value);
  }
}
class Later extends Watch {
  async onObject(object, emit) {
    await undefined;
    super.onObject(object, emit);
  }
}
class Batches {
  static takes = Reading;
  static gives = [Alarm, Reading];
  onBatch(batch, emit) {
    assert.deepEqual(batch.values(), [...batch].map(({ value }) => value));
    for (const object of batch) Watch.prototype.onObject(object, emit);
  }
}

const pools = { "/alarms": "Alarm", "/others": "Reading" };
const readings = [["roof", new Reading({ sensor: 7n, celsius: 95.5 })], ["cellar", new Reading({ sensor: 8n, celsius: 20 })]];

for (const of of [Watch, Later, Batches]) {
  test(`values of classes are taken and given: ${of.name}`, async () => {
    const harness = new Harness(new of(), { pools, inputType: "Reading" });
    await harness.batch(readings);
    const [alarm, other] = harness.emitted;
    assert.deepEqual([alarm.pool, alarm.key, Alarm.unpack(alarm.value)], ["/alarms", "roof", new Alarm("7: 95.5")]);
    assert.deepEqual([other.pool, other.key, Reading.unpack(other.value)], ["/others", "cellar", readings[1][1]]);
    const says = (await harness.describe()).filter(([about]) => about === 3 || about === 4);
    assert.deepEqual(says, [[3, "Reading", ""], [4, "Alarm", ""], [4, "Reading", ""]]);
  });

  test(`a value that is none of the class fails its object, with key, class and place: ${of.name}`, async () => {
    const harness = new Harness(new of(), { pools });
    const message = "read the value of roof as Reading: the bytes end 13 too early at byte 0";
    await assert.rejects(harness.put("roof", "abc"), { typeName: "Error", message });
    assert.deepEqual(harness.emitted, []);
  });
}

test("a pool of another type is told when the handler is opened, or emits there", async () => {
  const opens = (options) => new Harness(new Watch(), options).put(...readings[0]);
  await assert.rejects(opens({ pools, inputType: "Order" }), {
    message: "pool /in has the type Order, and the handler takes Reading: change the pool's `type` or the handler's `static takes`",
  });
  await assert.rejects(opens({ pools: { "/alarms": "f64" } }), {
    message: "pool /alarms has the type f64, and the handler gives Alarm or Reading: change the pool's `type` or the handler's `static gives`",
  });
  const harness = new Harness(new Watch(), { pools: { ...pools, "/others": "Alarm" } });
  await harness.put(...readings[0]);
  await assert.rejects(harness.put(...readings[1]), { message: /pool \/others has the type Alarm, and the handler gives Reading/, item: 0 });
});

test("what a handler does not give is refused", async () => {
  for (const [value, of] of [["text", "string"], [new Uint8Array(1), "Uint8Array"], [{}, "Object"], [null, "null"]]) {
    class Wrong extends Watch {
      onObject(object, emit) {
        emit.put(object.key, value);
      }
    }
    const message = `emit a value of type ${of}: this handler gives Alarm or Reading`;
    await assert.rejects(new Harness(new Wrong(), { pools }).put(...readings[0]), { typeName: "TypeError", message });
  }
});

test("what is no class of values is told", () => {
  for (const [name, wrong] of [["takes", "Reading"], ["takes", class {}], ["gives", [Alarm, {}]], ["gives", null]]) {
    class Wrong extends Watch {
      static [name] = wrong;
    }
    const message = new RegExp(`its ${name} is no class with pack and unpack: give one, as upcall bindgen writes it`);
    assert.throws(() => new Harness(new Wrong()), message);
  }
});
