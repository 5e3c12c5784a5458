package upcall;

/**
 * What a vertex program has said of itself.
 *
 * @param form {@code vertex}, {@code gather} or {@code interval}
 * @param shown the type of what vertices show
 * @param own the type of what they keep to themselves; null for nothing
 * @param edge the type of edges' values; null where it does not look at them
 * @param gather by what neighbours are put together; null of another form
 * @param outgoing whether it looks at outgoing edges
 * @param writes whether it sets their values, at which it looks then, too
 * @param selective whether only vertices that see a change are updated
 */
record VertexTypes(
        String form,
        NumberType shown,
        NumberType own,
        NumberType edge,
        Gather gather,
        boolean outgoing,
        boolean writes,
        boolean selective) {
    /** Asks a program; throws where it says too little. */
    static VertexTypes of(VertexProgram program) {
        NumberType shown = program.shown();
        if (shown == null) {
            throw new IllegalStateException(program.getClass().getName()
                    + " does not say what vertices show: shown() returns null; return NumberType.F64, or another type");
        }
        if (program.writes() && program.edge() == null) {
            throw new IllegalStateException(program.getClass().getName()
                    + " writes values of edges: declare their type, override edge() to return it");
        }
        Gather gather = null;
        if (program instanceof GatherHandler gathering) {
            gather = gathering.gather();
            if (gather == null) {
                throw new IllegalStateException(program.getClass().getName()
                        + " does not say by what neighbours are put together: gather() returns null; return Gather.SUM, or another");
            }
        }
        String form = gather != null ? "gather" : program instanceof IntervalHandler ? "interval" : "vertex";
        return new VertexTypes(
                form,
                shown,
                program.own(),
                program.edge(),
                gather,
                program.outgoing(),
                program.writes(),
                program.selective());
    }

    /** Whether it is given the edges that go out. */
    boolean looksOut() {
        return outgoing || writes;
    }

    void describe(Description about) {
        about.say(Abi.About.FORM, form, "");
        say(about, "own", own);
        say(about, "shown", shown);
        say(about, "edge", edge);
        if (outgoing) {
            about.say(Abi.About.NEEDS, "outgoing", "");
        }
        if (writes) {
            about.say(Abi.About.NEEDS, "writes", "");
        }
        if (selective) {
            about.say(Abi.About.NEEDS, "selective", "");
        }
        if (gather != null) {
            about.say(Abi.About.GATHER, gather.word(), "");
        }
    }

    private static void say(Description about, String value, NumberType type) {
        if (type != null) {
            about.say(Abi.About.VALUE, value, type.word());
        }
    }

    /** Why a value cannot be used as one of a {@link NumberType.Kind}. */
    static IllegalStateException wrong(String value, NumberType declared, int used) {
        String as = NumberType.Kind.name(used);
        return new IllegalStateException(declared == null
                ? "the program has no `" + value + "`: to have it, override " + value + "() to return its type"
                : "`" + value + "` is " + declared.word() + " and not for methods that end with " + as + ": use those that end with "
                        + NumberType.Kind.name(declared.kind) + ", or change the type");
    }
}
