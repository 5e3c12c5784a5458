//! Typed message passing over the machine's MPI: Open MPI or MPICH, whichever has started the process.
//!
//! A program that uses it is compiled without any MPI. The one in use is found when [`Environment::start`] is called, by the
//! variables of the launcher or by `UPCALL_MPI`; a shim of a few hundred lines of C, compiled once by that MPI's `mpicc` and
//! kept in the user's cache, gives it a stable table of functions. Every call that fails is an [`Error`] that says what was
//! attempted; MPI's own handler, which ends the process, is turned off.
//!
//! - **Elements**: any [`Blit`](upcall_abi::Blit) type travels as it lies in memory, as
//!   bytes, so that its extent is right by construction. The padding of a struct is zeroed on the way.
//!   Structs may be told to MPI field by field ([`Datatype`]), and messages may say which type they have ([`Checked`]).
//! - **Objects**: whatever pack writes, in one message, received by matched probe.
//! - **Reductions**: MPI's operations by type ([`Sum`], [`MinWithPlace`]), or a closure ([`Operation`]) or a handler in any
//!   guest ([`Handler`]), called once per chunk; and sums of floating-point numbers with the same bits whatever the number of ranks ([`ExactSum`]).
//! - **Communicators** of a [`Group`], on a grid ([`Cartesian`]) or a [`Graph`], with values kept under a [`Key`]; two groups are an
//!   [`Intercommunicator`], also with processes that were started by [`Communicator::spawn`].
//! - **Windows**: memory that other ranks read and write, in epochs that nothing outlives ([`Window`]).
//! - **Files** of all ranks, each of which may see a part of its own ([`File`]).
//! - **Requests** own their buffers, so that nothing has to be pinned and nothing dangles: of messages, also of unknown size,
//!   and of calls of all ranks ([`Request`]); those that are started again and again ([`Persistent`]); and of messages whose
//!   parts are sent as they are ready ([`PartitionedSend`]).
//! - **Windows** are memory that ranks read and write at one another ([`Window`], [`SharedWindow`]), and a [`File`] is written by
//!   all of them.
//! - **Buffers** on huge pages ([`Buf`]), which MPIs move faster than others.
//!
//! ```no_run
//! use upcall_mpi::{Environment, Sum, Threads};
//!
//! let mpi = Environment::start(Threads::Funneled)?;
//! let world = mpi.world();
//! if world.rank() == 0 {
//!     world.send(&[1.5, 2.5], 1, 0)?;
//! } else if world.rank() == 1 {
//!     let (numbers, _) = world.receive::<f64>(0, 0)?;
//!     assert_eq!(numbers, [1.5, 2.5]);
//! }
//! let ranks = world.all_reduce(&[world.rank() as u64], Sum)?;
//! # Ok::<_, upcall_mpi::Error>(())
//! ```
//!
//! It is a crate of its own as an engine is: nothing below it knows of it, and what calls no MPI does not need it.
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc, clippy::must_use_candidate)]

mod attribute;
mod buf;
mod buffered;
mod checked;
mod collective;
mod communicator;
mod datatype;
mod direct;
mod ending;
mod environment;
mod error;
mod exact;
mod fault;
mod fields;
mod file;
mod group;
mod installation;
mod intercommunicator;
mod launch;
mod launcher;
mod left;
mod library;
mod locate;
mod machine;
mod object;
mod operation;
mod optional;
mod owned;
mod padding;
mod partitioned;
mod persistent;
mod point;
mod process;
mod reduce;
mod reproducible;
mod request;
mod shim;
mod status;
mod together;
mod topology;
mod transfer;
mod variables;
mod window;

pub use attribute::{Key, NumberedKey};
pub use buf::Buf;
pub use buffered::SendBuffer;
pub use checked::{Arrived, Checked, ElementType};
pub use collective::Parts;
pub use communicator::Communicator;
pub use environment::Environment;
pub use error::{Error, ErrorKind};
pub use exact::{ExactSum, Real};
pub use fields::{Datatype, FieldAt};
pub use file::{File, FileOptions, FileTransfer, LentTransfer, Place, View};
pub use group::{Comparison, Group, RankRange};
pub use installation::{Family, Installation};
pub use intercommunicator::{Intercommunicator, Root};
pub use launch::Launch;
pub use library::Threads;
pub use object::Object;
pub use operation::{
    BitAnd, BitOr, BitXor, Combiner, Handler, Integer, LogicalAnd, LogicalOr, LogicalXor, Max, MaxWithPlace,
    Min, MinWithPlace, Named, Number, Operate, Operation, Placed, Product, Sum, Value,
};
pub use optional::Optional;
pub use owned::Owned;
pub use partitioned::{LentPartitions, Partition, PartitionedReceive, PartitionedSend};
pub use persistent::Persistent;
pub use point::{Envelope, Message, Source, Tag};
pub use process::{Port, Program, Published};
pub use request::{Ended, Lent, Request, Sending, Withdrawn};
pub use shim::Together;
pub use status::Status;
pub use together::{LentCall, LentOperation};
pub use topology::{Cartesian, Dimension, Edge, Graph, Neighborhood};
pub use transfer::Transfer;
pub use window::{
    Accumulate, Combining, Epoch, Exposure, Local, Lock, Neighbors, OpenEpoch, OpenExposure, OpenTransfer,
    OpenWindow, Passive, Replace, Scalar, SharedWindow, Window,
};
