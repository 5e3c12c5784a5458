/** Other processes. */

import type { Communicator } from "./communicator.js";
import { communicatorOf, countOf, rankOf, tagOf, together, wholeOf } from "./given.js";
import { Group } from "./group.js";
import { Intercommunicator } from "./intercommunicator.js";
import { checked, native, type NativeCommunicator, type NativePrograms } from "./native.js";
import { Objects } from "./objects.js";

/** A program to start, how often, and where. */
export interface SpawnedProgram {
  /** Its path, or a name that is on `PATH`. */
  readonly path: string;
  /** How many of it to start: 1 where nothing is said. */
  readonly processes?: number;
  /** What it is called with. */
  readonly arguments?: readonly string[];
  /** The folder that it starts in; where nothing is said, the launcher's. */
  readonly directory?: string;
  /** The hosts that it starts on, by their names; where nothing is said, the launcher's. */
  readonly hosts?: readonly string[];
  /** Something else that the launcher is told, by names that it knows. */
  readonly info?: Readonly<Record<string, string>>;
}

/** Another group, what is started, what finds this program by a port; and what goes on when a process has died. */
export abstract class Processes extends Objects {
  /**
   * Joins these ranks with those of another communicator: each side calls it, with a leader of its own. The two leaders are ranks
   * of one `bridge`, in which `remoteLeader` is the other side's, and exchange messages there with this tag. Collective over both
   * sides, which have no process in common. What is wrong on one rank is an error on all of its side.
   */
  intercommunicator(leader: number, bridge: Communicator, remoteLeader: number, tag = 0): Intercommunicator {
    const what = "join two groups";
    return together((wrong) => {
      // What is -1 the library refuses on all ranks.
      const own = wrong(() => rankOf(leader, what, "leader"), -1);
      const over = wrong(() => communicatorOf(bridge, what), undefined);
      const other = wrong(() => rankOf(remoteLeader, what, "remoteLeader"), -1);
      const number = wrong(() => tagOf(tag, what, "tag"), -1);
      return this.between((comm) => comm.intercommunicator(over === undefined ? -1 : own, over ?? comm, other, number));
    });
  }

  /**
   * Starts the processes of one program or several, in one group in their order: they see these ranks as their `parent`. What the
   * programs are counts at the root, and all ranks give as many. Collective; it returns when they have started MPI, which a program
   * has to do. Where they could not be started it is an `MpiError` of kind `spawn` on all ranks, and the job goes on; the MPICH of
   * Debian 12 cannot start any.
   */
  spawn(programs: SpawnedProgram | readonly SpawnedProgram[], root = 0): Intercommunicator {
    const rank = rankOf(root, "start processes", "root");
    const described = new native.UpcallMpiPrograms();
    try {
      for (const program of [programs].flat() as SpawnedProgram[]) checked(() => describe(described, program));
      return this.between((comm) => comm.spawn(described, rank));
    } finally {
      described.release();
    }
  }

  /** Waits until another program's ranks `connect` to a port of this one. The port's name counts at the root. Collective. */
  accept(port: string, root = 0): Intercommunicator {
    const rank = rankOf(root, "wait for another program", "root");
    return this.between((comm) => comm.accept(port, rank));
  }

  /** Joins the ranks of another program that wait at a port by `accept`. The port's name counts at the root. Collective. */
  connect(port: string, root = 0): Intercommunicator {
    const rank = rankOf(root, "connect to a port", "root");
    return this.between((comm) => comm.connect(port, rank));
  }

  private between(make: (comm: NativeCommunicator) => NativeCommunicator): Intercommunicator {
    const made = new Intercommunicator(checked(() => make(this.native)));
    made.serializer = this.serializer;
    return made;
  }

  /**
   * Ends what is under way on this communicator, on all ranks, with an `MpiError` of kind `revoked`: nothing more can be done with
   * it but `shrink` and `agree`. One rank calls it, and no other has to. As the calls below, it is an `MpiError` of kind
   * `unsupported` where the MPI does not have it: Open MPI does from 5 on, started with `mpirun --with-ft ulfm`.
   */
  revoke(): void {
    checked(() => this.native.revoke());
  }

  /** Whether it was revoked, as far as this rank knows by now. */
  get isRevoked(): boolean {
    return checked(() => this.native.is_revoked());
  }

  /** The bits that are set in what all ranks that live give. Collective over these, also where this one was revoked. */
  agree(flags: number): number {
    const bits = wholeOf(flags, "agree", "flags");
    return checked(() => this.native.agree(bits));
  }

  /** Takes note of the ranks that are known to have died: what receives from any rank waits for the others again. */
  acknowledgeFailures(): void {
    checked(() => this.native.acknowledge_failures());
  }

  /** The processes whose failure was acknowledged. */
  acknowledgedFailures(): Group {
    return new Group(checked(() => this.native.acknowledged_failures()));
  }

  /** The ranks whose failure was acknowledged. */
  failedRanks(): number[] {
    const ranks = checked(() => this.native.failed_ranks());
    try {
      return [...ranks.array];
    } finally {
      ranks.release();
    }
  }
}

function describe(described: NativePrograms, program: SpawnedProgram): void {
  described.add(program.path, countOf(program.processes ?? 1, "start processes", "processes"));
  for (const argument of program.arguments ?? []) described.argument(argument);
  if (program.directory !== undefined) described.directory(program.directory);
  for (const host of program.hosts ?? []) described.host(host);
  for (const [name, value] of Object.entries(program.info ?? {})) described.info(name, value);
}
