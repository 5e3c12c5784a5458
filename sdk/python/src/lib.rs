//! The driver of Python handlers: the loop over a batch, in native code, and the objects that Python sees.
//!
//! It is a library of its own because it must not be linked to any libpython. A host opens the libpython
//! that the user chose, then this library, and starts it through the table `table::UPCALL_PYTHON`. A
//! program that is Python's own imports the same file as the module `upcall._upcall`, for tests of handlers.
//! One build serves CPython 3.11 to 3.14 (the stable ABI, and the head of objects).
//!
//! | module | its part |
//! | --- | --- |
//! | `table`, `start`, `attach` | what the host calls: start, load, make, attach a thread |
//! | `supported`, `initialize` | which interpreters it fits, and how one is started |
//! | `driver` | from the entry to the handler's methods |
//! | `object`, `batch`, `emit`, `context` | what a handler is given |
//! | `call` | the frame of the current call: the only code that touches it |
//! | `state`, `view`, `keys`, `data`, `number` | what these stand on |
//! | `imports` | what a handler's `import` finds |
//! | `form` | what a handler's annotations say that its values are |
//! | `failure`, `log` | what leaves a handler another way |
//! | `module`, `harness` | the extension module, and the engine that its tests run on |
//! | `py`, `ffi`, `types`, `arguments`, `support` | CPython's C API and the Python half |

mod arguments;
mod attach;
mod batch;
mod call;
mod context;
mod data;
mod driver;
mod emit;
mod failure;
mod ffi;
mod form;
mod harness;
mod imports;
mod initialize;
mod keys;
mod log;
mod module;
mod number;
mod object;
mod py;
mod start;
mod state;
mod support;
mod supported;
mod table;
mod types;
mod view;
