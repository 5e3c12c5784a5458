import {
  Any, type Cartesian, each, Environment, ExactSum, File, Intercommunicator, Key, MaxWithPlace, type Message, MpiBuffer,
  notCommutative, ofHandler, type Persistent, type Placed, type Received, Request, type Root, type SendBuffer, SharedWindow,
  type SpawnedProgram, Sum, Window,
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
  const window: Window<BigInt64Array> = Window.allocate(world, BigInt64Array, 10);
  {
    using epoch = window.lockAll();
    const ticket: bigint = epoch.fetchAndOp(1n, 0, 9, Sum);
    // @ts-expect-error numbers are not bigints
    epoch.put(Float64Array.of(1), 0);
    void ticket;
  }
  const large: Float64Array = new MpiBuffer(Float64Array, 1000).array;
  using table = SharedWindow.allocate(world, Float32Array, 5);
  const theirs: Float32Array = table.together().at(0);
  void [large, theirs];
  const grid: Cartesian | undefined = world.cartesian([1, world.size], [false, true]);
  const around: Float32Array | undefined = grid?.neighborAllGather(Float32Array.of(1));
  using file = File.open(world, "numbers", { read: true, hints: { cb_nodes: "1" } });
  const read: BigInt64Array = file.readAtAll(BigInt64Array, 0, 9);
  const later: Request<Float64Array> = file.startReadAt(Float64Array, 0, 9);
  // @ts-expect-error there is no such option
  File.open(world, "numbers", { readable: true });
  void [around, read, later];
  const again: Persistent<Float64Array> = world.allReduceInit(Float64Array.of(1), Sum);
  const round: Request<Float64Array> = again.start();
  const began: Request<Int32Array[] | undefined> = world.startGatherParts(Int32Array.of(1), [1]);
  const first: number = Request.waitAny([round, began]);
  using buffer: SendBuffer = mpi.attachBuffer(100);
  void [first, buffer.used];
  const warmest: Placed<Float32Array> =
    world.allReduce({ values: Float32Array.of(1), places: Int32Array.of(world.rank) }, MaxWithPlace);
  const handled: Float64Array = world.allReduce(sum, ofHandler("python", "sums.py", "Sums", { isolated: true }));
  const exact: Float64Array = world.allReduceReproducible(sum);
  world.allReduceExact(new ExactSum(Float32Array));
  using checked = world.checked(true);
  const told: Received<Float64Array> = checked.receive(Float64Array, Any, 3);
  const total: number = checked.together(Float64Array).allReduce(1, Sum);
  void [warmest, handled, exact, told, total];
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
