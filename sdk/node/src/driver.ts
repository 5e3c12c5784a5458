/** A handler's life: what every frame has in common, whatever its kind. */

import {
  Abi, About, CancelFrame, DescribeFrame, ErrorSlot, FrameHead, Kind, OpenFrame, Output, Record as Said, Setting, Status,
} from "./abi.js";
import { type Body, Failing } from "./body.js";
import { CombineBody } from "./combine.js";
import type { Engine } from "./engine.js";
import { failure } from "./failure.js";
import { BatchBody, ObjectBody, type Turn } from "./flow/body.js";
import { LaterBody } from "./flow/later.js";
import {
  type AnyHandler, answersLater, type BatchHandler, type CombineHandler, type HandlerClass, methodOf, type ObjectHandler,
} from "./handler.js";
import { VertexBody } from "./graph/body.js";
import type { AnyProgram } from "./graph/program.js";
import type { Guards } from "./graph/source.js";
import type { Memory } from "./memory.js";

const NAMES: Readonly<Record<number, string>> = { [Kind.FLOW]: "FLOW", [Kind.COMBINE]: "COMBINE", [Kind.VERTEX]: "VERTEX" };

export class Driver {
  private readonly body: Body;
  private readonly of: HandlerClass;

  /**
   * Drives one instance, which lets others have their turn where one is given, and looks out for more where guards are. Throws what
   * its class says wrongly of itself.
   */
  constructor(
    private readonly memory: Memory,
    private readonly engine: Engine,
    handler: AnyHandler,
    turn?: Turn,
    guards?: Guards,
  ) {
    this.of = handler.constructor as HandlerClass;
    const method = methodOf(this.of);
    switch (method) {
      case "onObject":
        this.body = answersLater(this.of)
          ? new LaterBody(memory, engine, handler as ObjectHandler, (frame, failing) =>
            engine.complete(frame, failing === undefined ? Status.OK : this.failed(frame, failing)),
          )
          : new ObjectBody(memory, engine, handler as ObjectHandler, turn);
        break;
      case "onBatch":
        this.body = new BatchBody(memory, engine, handler as BatchHandler);
        break;
      case "combine":
        this.body = new CombineBody(memory, engine, handler as CombineHandler, this.of);
        break;
      case "update":
      case "apply":
      case "interval":
        this.body = new VertexBody(memory, engine, handler as AnyProgram, this.of, method, guards);
        break;
      default:
        throw new TypeError(`${this.of.name} is not a handler: ${method.wrong}`);
    }
  }

  /**
   * Answers the frame at this offset, all of which lies before `end`: now, or with `Status.PENDING`, and then by
   * {@link Engine.complete}. Nothing is thrown: it is written into the frame.
   */
  call(frame: number, end: number): Status {
    this.memory.begin(end);
    let answer: void | Promise<void> | Status.PENDING;
    try {
      answer = this.answer(frame);
    } catch (thrown) {
      return this.failed(frame, thrown);
    }
    if (answer === undefined) {
      this.memory.finish();
      return Status.OK;
    }
    if (answer !== Status.PENDING) {
      answer.then(
        () => {
          this.memory.finish();
          this.engine.complete(frame, Status.OK);
        },
        (thrown: unknown) => this.engine.complete(frame, this.failed(frame, thrown)),
      );
    }
    return Status.PENDING;
  }

  private answer(frame: number): void | Promise<void> | Status.PENDING {
    const { memory, body } = this;
    const head = memory.u32(frame);
    const [abi, kind, bytes] = [head & 0xffff, head >>> 16, memory.u32(frame + FrameHead.size)];
    // A batch, first of all: this is on the way of every call.
    if (kind === body.kind && abi === Abi.ABI && bytes >= body.least) return body.run(frame);
    this.check(abi, kind, bytes);
    switch (kind) {
      case Kind.DESCRIBE:
        return this.describe(frame);
      case Kind.OPEN:
        return this.open(frame);
      case Kind.FLUSH:
        return body.flush(frame);
      case Kind.CANCEL:
        return body.cancel(memory.u64(frame + CancelFrame.call), memory.u32(frame + CancelFrame.why));
      case Kind.CLOSE:
        return body.close();
      default:
        return;
    }
  }

  /** Whether the frame can be read. */
  private check(abi: number, kind: number, bytes: number): void {
    if (abi !== Abi.ABI) {
      throw new Error(`a frame of ABI ${abi}, and this driver has ${Abi.ABI}: build both with the same version`);
    }
    const least: Readonly<Record<number, number>> = {
      [Kind.OPEN]: OpenFrame.$bytes,
      [Kind.DESCRIBE]: DescribeFrame.$bytes,
      [Kind.FLUSH]: this.body.least,
      [Kind.CANCEL]: CancelFrame.$bytes,
      [Kind.CLOSE]: FrameHead.$bytes,
      [Kind.PING]: FrameHead.$bytes,
      [this.body.kind]: this.body.least,
    };
    const wanted = least[kind];
    if (wanted === undefined) {
      const name = NAMES[kind] ?? kind;
      throw new Error(`a ${name} frame, and this handler takes ${NAMES[this.body.kind]}`);
    }
    if (bytes < wanted) throw new Error(`a frame of kind ${kind} has ${bytes} bytes, and ${wanted} are needed`);
  }

  private describe(frame: number): void {
    const { body, of } = this;
    const out = frame + DescribeFrame.out;
    const say = (about: number, key: string, value: string): void => this.record(out, about, key, value);
    say(About.KIND, NAMES[body.kind] ?? "", String(body.kind));
    body.describe(say);
    for (const [name, { type, default: by, range }] of Object.entries(of.parameters ?? {})) {
      if (typeof type !== "string") {
        throw new TypeError(`${of.name}.parameters: write { type: "u64", default: 10 } for ${name}`);
      }
      const lines = [type, by === undefined ? "" : `=${by}`, range ?? ""];
      say(About.PARAMETER, name, lines.map((line) => line.replaceAll("\n", " ")).join("\n"));
    }
  }

  /** Writes a record of what the handler says of itself. */
  private record(out: number, about: number, key: string, value: string): void {
    const { memory } = this;
    const bytes = Said.$bytes + 3 * (key.length + value.length) + 8;
    if (memory.u64(out + Output.end) - memory.u64(out + Output.at) < bytes) {
      const chunk = this.engine.grow(out - DescribeFrame.out, Math.ceil(bytes / 8) * 8);
      if (chunk === null || !memory.reach(chunk.end)) throw new Error("there is no room for what the handler says of itself");
      memory.setU64(out + Output.at, chunk.at);
      memory.setU64(out + Output.end, chunk.end);
      memory.setU32(out + Output.chunk, memory.u32(out + Output.chunk) + 1);
    }
    const at = memory.u64(out + Output.at);
    const from = at + Said.$bytes;
    const valueLen = memory.write(value, from, bytes);
    const keyLen = memory.write(key, from + valueLen, bytes);
    memory.setU32(at + Said.pool, about);
    memory.setU32(at + Said.item, 0);
    memory.setU32(at + Said.valueLen, valueLen);
    memory.setU32(at + Said.keyLen, keyLen);
    memory.setU64(out + Output.at, Math.ceil((from + valueLen + keyLen) / 8) * 8);
  }

  private open(frame: number): void | Promise<void> {
    const { memory } = this;
    const from = memory.u64(frame + OpenFrame.settings);
    const settings = Array.from({ length: memory.u64(frame + OpenFrame.settings + 8) }, (_, index) => {
      const at = from + Setting.$bytes * index;
      return [memory.text(at + Setting.name), memory.text(at + Setting.value)];
    });
    return this.body.open(frame, {
      name: memory.text(frame + OpenFrame.name),
      settings: Object.fromEntries(settings) as Record<string, string>,
      worker: memory.u32(frame + OpenFrame.worker),
      workers: memory.u32(frame + OpenFrame.workers),
    });
  }

  /** Writes into the frame what was thrown: type, message and stack, cut where there is no room. */
  private failed(frame: number, thrown: unknown): Status {
    const { memory } = this;
    memory.finish();
    const { thrown: what, item } = thrown instanceof Failing ? thrown.failed : { thrown, item: ErrorSlot.NO_ITEM };
    const { type, message, stack } = failure(what);
    const slot = frame + FrameHead.error;
    let at = memory.u64(slot + ErrorSlot.text);
    const end = at + memory.u64(slot + ErrorSlot.text + 8);
    for (const [text, place] of [
      [type, ErrorSlot.typeLen],
      [message, ErrorSlot.messageLen],
      [stack, ErrorSlot.stackLen],
    ] as const) {
      const written = memory.write(text, at, end - at);
      memory.setU32(slot + place, written);
      at += written;
    }
    memory.setU32(slot + ErrorSlot.item, item);
    return Status.FAILED;
  }
}
