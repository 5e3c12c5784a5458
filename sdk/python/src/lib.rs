//! The driver of Python handlers: the loop over a batch, in native code, and the objects that Python sees.
//!
//! It is a library of its own because it must not be linked to any libpython. A host opens the libpython
//! that the user chose, then this library, and starts it through the table `table::UPCALL_GUEST`. A
//! program that is Python's own imports the same file as the module `upcall._upcall`, for tests of handlers.
//! One build serves CPython 3.11 to 3.14 (the stable ABI, and the head of objects).
//!
//! | module | its part |
//! | --- | --- |
//! | `table`, `start`, `attach` | what the host calls: start, load, make, attach a thread |
//! | `initialize` | how an interpreter is started |
//! | `driver`, `describe`, `context` | a handler's life, whatever its kind: DESCRIBE, OPEN, FLUSH, CLOSE, PING |
//! | `body` | what the driver asks of each kind of handler |
//! | `flow` | handlers of flows: objects, batches, emissions |
//! | `flow::later` | those that answer later: their event loops, and the way of frames there and back |
//! | `combine` | handlers that combine two arrays |
//! | `vertex` | vertex programs |
//! | `compiled` | handlers that numba has compiled |
//! | `view`, `number` | engine memory as Python sees it |
//! | `imports` | what a handler's `import` finds |
//! | `failure`, `log` | what leaves a handler another way |
//! | `forked` | the end of a process that a handler has forked |
//! | `mpi` | message passing, for programs that are Python's own and for handlers |
//! | `module`, `harness` | the extension module, and the engine that its tests run on |
//! | `py`, `ffi`, `types`, `arguments`, `support` | CPython's C API and the Python half |

mod arguments;
mod attach;
mod body;
mod combine;
mod compiled;
mod context;
mod describe;
mod driver;
mod failure;
mod ffi;
mod flow;
mod forked;
mod harness;
mod imports;
mod initialize;
mod log;
mod module;
mod mpi;
mod number;
mod py;
mod start;
mod support;
mod table;
mod types;
mod vertex;
mod view;
