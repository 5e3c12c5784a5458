use std::fmt;
use upcall::Code;
use upcall_flow::ErrorKind;

/// A flow's description is wrong.
pub const UPCALL_INVALID: i32 = 10;
/// A handler or its runtime could not be loaded or opened.
pub const UPCALL_LOAD: i32 = 11;
/// No pool has this path.
pub const UPCALL_NO_POOL: i32 = 12;
/// A key that is not UTF-8.
pub const UPCALL_BAD_KEY: i32 = 13;
/// A value that the pool's type does not allow.
pub const UPCALL_BAD_VALUE: i32 = 14;
/// A put into a dead pool, which only the flow itself fills.
pub const UPCALL_DEAD_POOL: i32 = 15;
/// The pool stores nothing.
pub const UPCALL_STORES_NOTHING: i32 = 16;
/// The version or time asked for is no longer kept.
pub const UPCALL_COMPACTED: i32 = 17;
/// Another version was found than expected.
pub const UPCALL_CONFLICT: i32 = 18;
/// There is no credit now.
pub const UPCALL_WOULD_BLOCK: i32 = 19;
/// A blocking call from inside a handler of the same flow.
pub const UPCALL_IN_HANDLER: i32 = 20;
/// The flow held more than its `memory`.
pub const UPCALL_OUT_OF_MEMORY: i32 = 21;
/// A handler failed when it was told that its input has ended.
pub const UPCALL_FLUSH: i32 = 22;
/// The flow has been stopped.
pub const UPCALL_STOPPED: i32 = 23;
/// A thread of the flow died.
pub const UPCALL_INTERNAL: i32 = 24;
/// The call makes no sense now: the task has not ended, or its result was taken.
pub const UPCALL_NOT_NOW: i32 = 25;

/// A graph's file could not be read, or is none, or is damaged.
pub const UPCALL_GRAPH_FILE: i32 = 26;
/// A vertex program failed, or is none.
pub const UPCALL_PROGRAM: i32 = 27;

/// Why an engine did not do what it was asked.
#[derive(Clone, Debug)]
pub struct FlowFailure {
    code: i32,
    message: String,
}

impl FlowFailure {
    pub(crate) fn new(code: i32, message: impl fmt::Display) -> FlowFailure {
        FlowFailure { code, message: message.to_string() }
    }
}

impl fmt::Display for FlowFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Code for FlowFailure {
    fn code(&self) -> i32 {
        self.code
    }
}

impl From<upcall_flow::Error> for FlowFailure {
    fn from(error: upcall_flow::Error) -> FlowFailure {
        let code = match error.kind() {
            ErrorKind::Invalid => UPCALL_INVALID,
            ErrorKind::Load => UPCALL_LOAD,
            ErrorKind::NoPool => UPCALL_NO_POOL,
            ErrorKind::BadKey => UPCALL_BAD_KEY,
            ErrorKind::BadValue => UPCALL_BAD_VALUE,
            ErrorKind::DeadPool => UPCALL_DEAD_POOL,
            ErrorKind::StoresNothing => UPCALL_STORES_NOTHING,
            ErrorKind::Compacted => UPCALL_COMPACTED,
            ErrorKind::Conflict => UPCALL_CONFLICT,
            ErrorKind::WouldBlock => UPCALL_WOULD_BLOCK,
            ErrorKind::InHandler => UPCALL_IN_HANDLER,
            ErrorKind::OutOfMemory => UPCALL_OUT_OF_MEMORY,
            ErrorKind::Flush => UPCALL_FLUSH,
            ErrorKind::Stopped => UPCALL_STOPPED,
            _ => UPCALL_INTERNAL,
        };
        FlowFailure { code, message: error.to_string() }
    }
}

impl From<upcall_host::Error> for FlowFailure {
    fn from(error: upcall_host::Error) -> FlowFailure {
        FlowFailure::new(UPCALL_LOAD, error)
    }
}
