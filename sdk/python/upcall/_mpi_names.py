"""What programs of mpi4py's call, and what that is here: who asks for the one is told the other."""

from __future__ import annotations

from typing import NoReturn

# Of communicators. Those with a capital letter take arrays there, the others objects.
COMMUNICATOR = {
    "Get_rank": "rank",
    "Get_size": "size",
    "Send": "send",
    "Recv": "receive_into",
    "send": "send_object",
    "recv": "receive_object",
    "Ssend": "send_synchronous",
    "Bsend": "send_buffered",
    "Rsend": "send_ready",
    "Isend": "start_send",
    "Irecv": "start_receive",
    "isend": "start_send_object",
    "irecv": "start_receive_object",
    "Sendrecv": "send_receive",
    "sendrecv": "send_receive_object",
    "Probe": "probe",
    "Iprobe": "try_probe",
    "iprobe": "try_probe",
    "Mprobe": "matched",
    "mprobe": "matched",
    "Improbe": "try_matched",
    "improbe": "try_matched",
    "Send_init": "send_init",
    "Recv_init": "receive_init",
    "Barrier": "barrier",
    "Ibarrier": "start_barrier",
    "Bcast": "broadcast",
    "bcast": "broadcast_object",
    "Ibcast": "start_broadcast",
    "Scatter": "scatter_into",
    "Scatterv": "scatter_parts",
    "scatter": "scatter_objects",
    "Gather": "gather_into",
    "Gatherv": "gather_parts",
    "gather": "gather_objects",
    "Allgather": "all_gather_into",
    "Allgatherv": "all_gather_parts",
    "allgather": "all_gather_objects",
    "Alltoall": "all_to_all_into",
    "Alltoallv": "all_to_all_parts",
    "alltoall": "all_to_all_objects",
    "Reduce": "reduce_into",
    "Allreduce": "all_reduce_into",
    "Iallreduce": "start_all_reduce",
    "Reduce_scatter": "reduce_scatter_into",
    "Scan": "scan_into",
    "Exscan": "exclusive_scan_into",
    "reduce": "reduce_object",
    "allreduce": "all_reduce_object",
    "scan": "scan_object",
    "exscan": "exclusive_scan_object",
    "Split": "split",
    "Split_type": "split_shared_memory",
    "Dup": "duplicate",
    "Clone": "duplicate",
    "Create": "create",
    "Create_group": "create_group",
    "Get_group": "group",
    "Create_cart": "cartesian",
    "Create_dist_graph": "graph",
    "Create_dist_graph_adjacent": "graph_adjacent",
    "Create_intercomm": "intercommunicator",
    "Spawn": "spawn",
    "Accept": "accept",
    "Connect": "connect",
    "Get_name": "name",
    "Set_name": "name",
    "Set_attr": "set",
    "Get_attr": "get",
    "Delete_attr": "remove",
    "Abort": "abort",
}

# Of the module, which is called `MPI` there.
MODULE = {
    "COMM_WORLD": "world()",
    "COMM_SELF": "own()",
    "Comm": "Communicator",
    "Intracomm": "Communicator",
    "Intercomm": "Intercommunicator",
    "Cartcomm": "Cartesian",
    "Distgraphcomm": "Graph",
    "Win": "Window",
    "Op": "Operation",
    "Exception": "MpiError",
    "Prequest": "Persistent",
    "PROD": "PRODUCT",
    "LAND": "LOGICAL_AND",
    "LOR": "LOGICAL_OR",
    "LXOR": "LOGICAL_XOR",
    "BAND": "BIT_AND",
    "BOR": "BIT_OR",
    "BXOR": "BIT_XOR",
    "MINLOC": "MIN_WITH_PLACE",
    "MAXLOC": "MAX_WITH_PLACE",
    "ROOT": "HERE",
    "Init": "Environment()",
    "Finalize": "environment().finish()",
    "Is_initialized": "is_running()",
    "Is_finalized": "is_finalized()",
    "Wtime": "environment().time()",
    "Get_processor_name": "environment().processor()",
    "Get_library_version": "environment().library",
    "Get_version": "environment().standard",
    "Query_thread": "environment().threads",
    "Attach_buffer": "environment().attach_buffer(size)",
    "Open_port": "environment().open_port()",
    "Lookup_name": "environment().look_up(service)",
}


def missing(of: str, called: str, name: str, theirs: dict[str, str]) -> AttributeError:
    """What is raised where something has no attribute of a name."""
    said = f"{of} has no {name}"
    ours = theirs.get(name)
    return AttributeError(said if ours is None else f"{said}: mpi4py's `{name}` is `{called}{ours}` here", name=name)


class Absent:
    """A name of mpi4py's in a class of ours. A ``__getattr__`` would take 40 ns of every call of every other name."""

    def __init__(self, theirs: dict[str, str]) -> None:
        self._theirs = theirs

    def __set_name__(self, _: type, name: str) -> None:
        self._name = name

    def __get__(self, of: object, kind: type) -> NoReturn:
        raise missing(f"an mpi.{kind.__name__}", "", self._name, self._theirs)


def explain(of: type, theirs: dict[str, str]) -> None:
    """Has a class tell of those names that it does not have, for which it has another."""
    for name, ours in theirs.items():
        if hasattr(of, ours) and not hasattr(of, name):
            absent = Absent(theirs)
            absent.__set_name__(of, name)
            setattr(of, name, absent)
