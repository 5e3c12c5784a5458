import {
  Any, each, Environment, ExactSum, MaxWithPlace, type Message, notCommutative, ofHandler, type Placed, type Received, Request, Sum,
} from "upcall/mpi";

function program(): void {
  using mpi = Environment.start({ threads: "single" });
  const { world } = mpi;
  const sum: Float64Array = world.allReduce(Float64Array.of(1), Sum);
  const most: BigInt64Array = world.allReduce(BigInt64Array.of(1n), each((a, b) => (a > b ? a : b)));
  const number: number = world.allReduce(1, Sum);
  const product: number = world.allReduce(world.rank, (a, b) => a * b);
  const big: bigint = world.scan(1n, Sum);
  const perhaps: Float64Array | undefined = world.reduce(sum, (from, into) => into.set(from), 0);
  const ordered: Int32Array = world.allReduce(Int32Array.of(1), notCommutative<Int32Array>(each((a, b) => a - b)));
  const received: Received<Uint8Array> = world.receive(Uint8Array, Any, 3);
  const words: string = world.allReduceObjects("a", (a, b) => a + b);
  const message: Message | undefined = world.tryMatched();
  using part = world.split(world.rank % 2);
  part?.barrier();
  const warmest: Placed<Float32Array> =
    world.allReduce({ values: Float32Array.of(1), places: Int32Array.of(world.rank) }, MaxWithPlace);
  const handled: Float64Array = world.allReduce(sum, ofHandler("python", "sums.py", "Sums", { isolated: true }));
  const exact: Float64Array = world.allReduceReproducible(sum);
  world.allReduceExact(new ExactSum(Float32Array));
  using checked = world.checked(true);
  const told: Received<Float64Array> = checked.receive(Float64Array, Any, 3);
  const again: number = checked.together(Float64Array).allReduce(1, Sum);
  void [warmest, handled, exact, told, again];
  // @ts-expect-error numbers have no places
  world.allReduce(sum, MaxWithPlace);
  // @ts-expect-error integers are summed as they are
  world.allReduceReproducible(Int32Array.of(1));
  void [most, number, product, big, perhaps, ordered, received, words, message];
  // @ts-expect-error an object is no array
  world.send({ x: 1 }, 0);
  // @ts-expect-error numbers are not bigints
  world.allReduce(BigInt64Array.of(1n), each((a: number, b: number) => a + b));
}

async function waits(mpi: Environment): Promise<Float64Array> {
  const request = mpi.world.startReceive(Float64Array, 10, 0, 1);
  const sent: Request<void> = mpi.world.startSend(new Float64Array(10), 0, 1);
  const [{ data }] = await Promise.all([request, sent]);
  return data;
}

void [program, waits];
