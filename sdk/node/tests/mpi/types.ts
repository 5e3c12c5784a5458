import {
  Any, each, Environment, Intercommunicator, Key, type Message, notCommutative, type Received, Request, type Root, type SpawnedProgram, Sum,
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

const round = new Key<number>({ copied: true });

function processes(mpi: Environment): number | undefined {
  const worker: SpawnedProgram = { path: "worker", processes: 2, arguments: ["--quiet"], directory: "/tmp" };
  using workers: Intercommunicator = mpi.world.spawn([worker]);
  const root: Root = mpi.world.rank === 0 ? "here" : "beside";
  const names: string[] | undefined = workers.gatherObjects<string>(undefined, root);
  using port = mpi.openPort();
  using published = port.publish("service");
  mpi.world.set(round, 1);
  // @ts-expect-error it keeps numbers
  mpi.world.set(round, "1");
  void [names, published];
  return mpi.world.get(round);
}

void [program, waits, processes];
