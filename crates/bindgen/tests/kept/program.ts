// Keeps callbacks, as a program in Node does.
import * as kept from "./index";

declare const gc: () => void;
declare const console: { log(text: string): void };
declare const process: {
  on(event: string, told: (error: Error) => void): void;
  off(event: string, told: (error: Error) => void): void;
  exit(code: number): never;
};
declare function setTimeout(run: () => void, milliseconds: number): unknown;
declare function setInterval(run: () => void, milliseconds: number): unknown;
declare function clearInterval(timer: unknown): void;

function check(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

async function until(holds: () => boolean, what: string): Promise<void> {
  for (let wait = 0; wait < 5000 && !holds(); wait++) await turn();
  check(holds(), what);
}

/** Whether all of these are collected. */
async function gone(refs: WeakRef<object>[]): Promise<void> {
  await until(() => {
    gc();
    return refs.every((ref) => ref.deref() === undefined);
  }, "what is forgotten is collected");
}

async function main(): Promise<void> {
  // Called on the loop's thread, at once from there and later from others, in order.
  let values: number[] = [];
  const listen = (): void => kept.hear((value) => void values.push(Number(value)));
  listen();
  gc();
  kept.fire(5);
  check(values.join() === "5", "at once");
  kept.fire_and_wait(3);
  check(values.join() === "5", "not while the thread is busy");
  await until(() => values.length === 4, "later");
  check(values.join() === "5,0,1,2", "in order");
  kept.fire_from_threads(4, 1000);
  await until(() => values.length === 4 + 4000, "from several threads");
  check(Number(kept.alive()) === 1, "it is kept");
  // What was called before it is forgotten is called.
  values = [];
  kept.fire_and_wait(3);
  kept.forget_on_a_thread();
  check(Number(kept.alive()) === 0, "it is forgotten");
  await until(() => values.length === 3, "and called before");
  listen();
  kept.fire_and_wait(2);
  kept.forget();
  await until(() => values.length === 5, "also where its own thread forgets it");

  // Nobody catches what it throws.
  const thrown: string[] = [];
  const told = (error: Error): void => void thrown.push(error.message);
  process.on("uncaughtException", told);
  kept.hear((value) => {
    throw new Error(`no ${value}`);
  });
  kept.fire(7);
  check(thrown.join() === "no 7", "at once");
  kept.fire_and_wait(2);
  await until(() => thrown.length === 3, "and later");
  check(thrown.join() === "no 7,no 0,no 1", thrown.join());
  process.off("uncaughtException", told);

  // It may call the library, replace itself, and be the last to be called.
  let seen = 0;
  kept.hear((value) => {
    check(Number(kept.alive()) === 1, "a callback calls the library");
    kept.hear((again) => void (seen = 100 + Number(again)));
    kept.fire(value);
  });
  kept.fire(3);
  check(seen === 103 && Number(kept.alive()) === 1, "it replaces itself");
  kept.hear(() => kept.forget());
  kept.fire_and_wait(1);
  await until(() => Number(kept.alive()) === 0, "it forgets itself");

  // A call that fails has released it.
  const watched = (pass: (listener: (value: unknown) => void) => void): WeakRef<object> => {
    const listener = (): void => void values.length;
    pass(listener);
    return new WeakRef(listener);
  };
  const refused = Array.from({ length: 100 }, () =>
    watched((listener) => {
      try {
        kept.hear_as(listener, "");
      } catch (error) {
        check((error as Error).message === "a listener needs a name", String(error));
        return;
      }
      check(false, "it fails");
    }),
  );
  const untaken = watched((listener) => {
    try {
      kept.hear_as(listener, 5 as never);
    } catch (error) {
      check(error instanceof TypeError, String(error));
      return;
    }
    check(false, "a number is no name");
  });
  await gone([...refused, untaken]);
  check(Number(kept.alive()) === 0, "a refused one is forgotten");
  for (const wrong of [null, 5, new kept.Callback(() => {})]) {
    try {
      kept.hear(wrong as never);
      check(false, "it is no function");
    } catch (error) {
      check((error as Error).message === "hear: argument listener must be a function", String(error));
    }
  }

  const rounds = Array.from({ length: 10000 }, () => watched((listener) => kept.hear(listener)));
  kept.forget();
  await gone(rounds);
  // More than there are places, without a turn of the loop.
  for (let round = 0; round < 70000; round++) kept.hear(() => {});
  kept.forget();

  // A handle keeps them until it is released, text is copied on its way.
  const heard: string[] = [];
  const topic = new kept.Topic();
  topic.subscribe((text) => void heard.push(text));
  topic.subscribe((text) => void heard.push(text + text));
  topic.publish("four");
  topic.release();
  check(Number(kept.alive()) === 0 && heard.length === 0, "it has forgotten them");
  await until(() => heard.length === 2, "they are told");
  check(heard.join() === "four,fourfour", heard.join());

  // A waker resolves a promise; what waits for one alone does not keep Node.
  const after = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => kept.wake_after(milliseconds, resolve));
  const open = setInterval(() => {}, 60000);
  await Promise.all(Array.from({ length: 100 }, (_, milliseconds) => after(milliseconds % 10)));
  clearInterval(open);
  await until(() => Number(kept.alive()) === 0, "wakers are forgotten");

  // The library goes on calling while the program ends.
  let calls = 0;
  kept.hear(() => void calls++);
  kept.fire_for_ever();
  await until(() => calls > 1000, "it is called");
  console.log("done");
}

void main().then(() => process.exit(0));
