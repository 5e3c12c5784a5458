package upcall;

/**
 * What every handler may do beside its work. A class needs a constructor without parameters. An instance belongs to one
 * worker and is used on its thread only.
 */
public interface Handler {
    /** Says what there is to know of the handler, before it is opened, where somebody asks. */
    default void describe(Description about) throws Exception {}

    /** Called at the end, once. */
    default void onClose() throws Exception {}
}
