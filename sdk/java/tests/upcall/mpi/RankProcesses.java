package upcall.mpi;

import static upcall.Check.equal;
import static upcall.Check.thrown;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

/** Two groups, processes that are started, and ports. */
final class RankProcesses {
    private RankProcesses() {}

    private static List<Integer> side(Communicator world, int side) {
        return IntStream.range(0, world.size()).filter(rank -> rank % 2 == side).boxed().toList();
    }

    static void twoGroupsPassMessagesToEachOther(Communicator world, Random random) {
        if (world.size() == 1) {
            equal(MpiError.RANK, thrown(MpiException.class, () -> world.intercommunicator(1, world, 0, 0)).error(), "no such leader");
            return;
        }
        int odd = world.rank() % 2;
        List<Integer> theirs = side(world, 1 - odd);
        int others = theirs.size();
        Communicator mine = world.split(odd, 0).orElseThrow();
        thrown(MpiException.class, () -> mine.intercommunicator(mine.size(), world, 0, 0));
        Intercommunicator both = mine.intercommunicator(0, world, 1 - odd, 7);
        equal(List.of(mine.rank(), mine.size(), others), List.of(both.rank(), both.size(), both.remoteSize()), "sizes");
        try (Group all = world.group(); Group here = both.group(); Group there = both.remoteGroup()) {
            int[] ranks = java.util.stream.IntStream.range(0, others).toArray();
            equal(theirs, java.util.Arrays.stream(there.translate(ranks, all)).boxed().toList(), "the other group");
            equal(mine.size(), here.size(), "this group");
        }
        both.setName("both");
        equal("both", both.name(), "the name");
        try (Intercommunicator twin = both.duplicate()) {
            equal(Comparison.CONGRUENT, both.compare(twin), "a twin");
        }

        // Each rank of one side sends to each of the other.
        List<Request> sent = new ArrayList<>();
        for (int peer = 0; peer < others; peer++) {
            sent.add(both.startSend(new int[] {world.rank(), peer}, peer, 3));
            both.send("from " + world.rank(), peer, 4);
        }
        for (int peer = 0; peer < others; peer++) {
            equal(List.of(theirs.get(peer), mine.rank()), list(both.receive(int[].class, peer, 3)), "an array");
            equal("from " + theirs.get(peer), both.receive(String.class, peer, 4), "text");
        }
        Request.waitAll(sent);
        equal(MpiError.RANK, thrown(MpiException.class, () -> both.send(1, others, 0)).error(), "no such rank there");
        both.barrier();

        for (int from = 0; from < 2; from++) {
            int last = side(world, from).size() - 1;
            Root root = from != odd ? Root.remote(last) : mine.rank() == last ? Root.HERE : Root.BESIDE;
            boolean here = root.equals(Root.HERE);
            boolean remote = from != odd;
            equal(remote ? Optional.of("hello") : Optional.empty(), both.broadcast(String.class, here ? "hello" : null, root), "broadcast");
            double[] row = {here ? 0.5 : 0, 0};
            both.broadcastInto(row, root);
            equal(here || remote ? 0.5 : 0, row[0], "broadcast into");
            Optional<List<String>> names = both.gather(String.class, remote ? "rank " + world.rank() : null, root);
            equal(here ? Optional.of(theirs.stream().map(rank -> "rank " + rank).toList()) : Optional.empty(), names, "gather");
            long[] room = new long[others];
            both.gatherInto(new long[] {world.rank()}, room, root);
            equal(here ? theirs : Arrays.asList(new Integer[others]).stream().map(none -> 0).toList(),
                    Arrays.stream(room).mapToObj(number -> (int) number).toList(), "gather into");
            List<String> parts = IntStream.range(0, others).mapToObj(part -> "part " + part).toList();
            equal(remote ? Optional.of("part " + mine.rank()) : Optional.empty(),
                    both.scatter(String.class, here ? parts : null, root), "scatter");
            if (here || remote) {
                Class<? extends RuntimeException> lacking = here ? NullPointerException.class : MpiException.class;
                thrown(lacking, () -> both.scatter(String.class, null, root));
            } else {
                equal(Optional.empty(), both.scatter(String.class, null, root), "beside a root that has nothing");
            }
            int[] own = new int[1];
            both.scatterInto(IntStream.range(0, others).map(part -> part * 3).toArray(), own, root);
            equal(remote ? mine.rank() * 3 : 0, own[0], "scatter into");
            int[] sum = new int[2];
            both.reduceInto(new int[] {world.rank(), 1}, sum, Operation.SUM, root);
            equal(here ? List.of(theirs.stream().mapToInt(rank -> rank).sum(), others) : List.of(0, 0), list(sum), "reduce into");
            int[] chunks = new int[1];
            both.reduceInto(new int[] {world.rank()}, chunks, Operation.ints(Math::max), root);
            equal(here ? theirs.get(others - 1) : 0, chunks[0], "reduce by a function");
            equal(here ? Optional.of(String.join("", theirs.stream().map(rank -> "" + rank).toList())) : Optional.empty(),
                    both.reduce(String.class, "" + world.rank(), String::concat, root), "reduce");
        }
        equal(theirs.stream().map(rank -> "rank " + rank).toList(), both.allGather(String.class, "rank " + world.rank()), "all gather");
        int[] all = new int[others];
        both.allGatherInto(new int[] {world.rank()}, all);
        equal(theirs, list(all), "all gather into");
        List<Integer> sends = IntStream.range(0, others).mapToObj(peer -> world.rank() * 100 + peer).toList();
        List<Integer> wanted = theirs.stream().map(rank -> rank * 100 + mine.rank()).toList();
        equal(wanted, both.allToAll(Integer.class, sends), "all to all");
        both.allToAllInto(sends.stream().mapToInt(number -> number).toArray(), all);
        equal(wanted, list(all), "all to all into");
        equal(theirs.stream().mapToInt(rank -> rank).sum(), both.allReduce(world.rank(), Operation.SUM), "all reduce");
        equal(String.join("", theirs.stream().map(rank -> "" + rank).toList()),
                both.allReduce(String.class, "" + world.rank(), String::concat), "all reduce of objects");

        try (Intercommunicator twin = both.duplicate(); Communicator merged = both.merge(odd == 1)) {
            equal(theirs, twin.allGather(Integer.class, world.rank()), "a twin");
            List<Integer> order = new ArrayList<>(side(world, 0));
            order.addAll(side(world, 1));
            equal(order, merged.allGather(world.rank()), "merged");
        }
        equal(MpiError.RANK, thrown(MpiException.class, () -> Root.remote(-1)).error(), "no such root");
        both.disconnect();
        MpiException gone = thrown(MpiException.class, both::barrier);
        equal(MpiError.USAGE, gone.error(), gone.getMessage());
        thrown(MpiException.class, both::disconnect);
        both.close();
        Ranks.closed(both::barrier);
        mine.close();
    }

    static void processesAreStartedAndTalkWithTheirParents(Communicator world, Random random) {
        int root = world.size() - 1;
        MpiException none = thrown(MpiException.class, () -> world.spawn(new SpawnedProgram("/no/program", 2), root));
        equal(MpiError.SPAWN, none.error(), none.getMessage());
        equal(true, none.getMessage().contains("there is no program /no/program"), none.getMessage());
        equal(MpiError.SPAWN, thrown(MpiException.class, () -> world.spawn(new SpawnedProgram("true", 1).in("/no/folder"), root)).error(),
                "no such folder");
        thrown(MpiException.class, () -> world.spawn(List.of(), root));
        // What a list of the program's own throws is no error of MPI's.
        List<SpawnedProgram> broken = new AbstractList<>() {
            @Override
            public SpawnedProgram get(int index) {
                throw new IllegalStateException("the programs are not known yet");
            }

            @Override
            public int size() {
                return 1;
            }
        };
        equal("the programs are not known yet",
                thrown(IllegalStateException.class, () -> world.spawn(broken, root)).getMessage(), "a list that throws");
        equal(world.size(), world.allReduce(1, Operation.SUM), "the job goes on");
        if (world.size() != 2) {
            return;
        }
        List<String> command = new ArrayList<>(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Child.class.getName()));
        String java = System.getProperty("java.home") + File.separator + "bin" + File.separator + "java";
        List<SpawnedProgram> programs = new ArrayList<>();
        for (String name : List.of("first", "second")) {
            List<String> arguments = new ArrayList<>(command);
            arguments.add(name);
            programs.add(new SpawnedProgram(java, 1, arguments.toArray(String[]::new)));
        }
        Intercommunicator children;
        try {
            children = world.spawn(programs, root);
        } catch (MpiException failed) {
            // Debian's MPICH has no way to ask its launcher.
            equal(MpiError.SPAWN, failed.error(), failed.getMessage());
            equal(true, Ranks.library.startsWith("MPICH"), failed.getMessage());
            return;
        }
        equal(2, children.remoteSize(), "children");
        children.broadcast(String.class, "hello", world.rank() == root ? Root.HERE : Root.BESIDE);
        equal(List.of("first", "second"), children.allGather(String.class, "parent " + world.rank()), "names");
        try (Communicator all = children.merge(false)) {
            equal(4, all.allReduce(1, Operation.SUM), "all of them");
        }
        children.disconnect();
        children.close();
    }

    /** What the test above starts. */
    static final class Child {
        private Child() {}

        /** One process's. */
        public static void main(String[] arguments) {
            try (Environment mpi = Environment.start()) {
                Intercommunicator parent = mpi.parent().orElseThrow();
                String hello = parent.broadcast(String.class, null, Root.remote(parent.remoteSize() - 1)).orElseThrow();
                equal("hello", hello, "from the parents");
                equal(List.of("parent 0", "parent 1"), parent.allGather(String.class, arguments[0]), "parents");
                try (Communicator all = parent.merge(true)) {
                    equal(4, all.allReduce(1, Operation.SUM), "all of them");
                }
                parent.disconnect();
                equal(true, mpi.parent().isPresent(), "it is known, though it is gone");
            }
        }
    }

    static void programsFindEachOtherByAPort(Communicator world, Random random) {
        String service = world.broadcast(String.class, "upcall-java-" + ProcessHandle.current().pid(), 0);
        thrown(MpiException.class, () -> Ranks.mpi.lookUp("upcall-no-such-service"));
        Port port = null;
        if (world.rank() == 0) {
            try {
                port = Ranks.mpi.openPort();
            } catch (MpiException failed) {
                // MPICH over UCX has none.
                equal(true, failed.error() == MpiError.UNSUPPORTED || failed.error() == MpiError.PORT, failed.getMessage());
                equal(true, Ranks.library.startsWith("MPICH"), failed.getMessage());
            }
        }
        boolean open = world.broadcast(Integer.class, port == null ? 0 : 1, 0) == 1;
        if (open && world.size() > 1) {
            Port.Published published = port == null ? null : port.publish(service);
            world.barrier();
            int odd = world.rank() % 2;
            try (Communicator half = world.split(odd, 0).orElseThrow()) {
                String name = odd == 1 ? Ranks.mpi.lookUp(service) : port == null ? "" : port.name();
                Intercommunicator both = odd == 1 ? half.connect(name, 0) : half.accept(name, 0);
                equal(side(world, 1 - odd), both.allGather(Integer.class, world.rank()), "the other half");
                both.disconnect();
                both.close();
            }
            if (published != null) {
                published.close();
            }
            world.barrier();
            equal(MpiError.PORT, thrown(MpiException.class, () -> Ranks.mpi.lookUp(service)).error(), "it is taken back");
        }
        if (port != null) {
            port.close();
            Ranks.closed(port::name);
        }
    }

    private static List<Integer> list(int[] numbers) {
        return Arrays.stream(numbers).boxed().toList();
    }
}
