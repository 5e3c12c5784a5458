//! What a flow is, as plain data: the builder and the TOML file both make one.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;
use upcall_handler::Encode;
use upcall_host::{HandlerSpec, Isolation, KnownGuest};

/// A flow: pools, handlers on their paths, and its limits.
#[derive(Clone, PartialEq, Debug)]
pub struct FlowSpec {
    /// Its name, for messages.
    pub name: String,
    /// Worker threads; one per core when `None`. Guests that need a thread of their own get one more.
    pub workers: Option<usize>,
    /// Bytes at which the flow stops with an error: of the chunks that objects in flight lie in, and of what its pools
    /// store.
    pub memory: u64,
    /// What may be in flight, at most, before a put from outside has to wait.
    pub credit: Credit,
    /// How long an object should wait for a handler: less than the credit may be in flight where the handlers
    /// take longer for it. Zero: as long as the credit lets it.
    pub delay: Duration,
    /// Items in a batch at most.
    pub batch: usize,
    /// What each dead pool keeps.
    pub dead_letters: DeadLetterLimit,
    /// The pools.
    pub pools: Vec<Pool>,
    /// The handlers.
    pub handlers: Vec<OnSpec>,
}

impl Default for FlowSpec {
    fn default() -> Self {
        FlowSpec {
            name: "flow".into(),
            workers: None,
            memory: 1 << 30,
            credit: Credit::default(),
            delay: Duration::from_millis(50),
            batch: 4096,
            dead_letters: DeadLetterLimit::default(),
            pools: Vec::new(),
            handlers: Vec::new(),
        }
    }
}

/// What may be in flight, counted over all that an object leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Credit {
    /// Bytes of keys and values. It counts as an eighth of the flow's memory where it is more.
    pub bytes: u64,
    /// Objects.
    pub items: u64,
}

impl Credit {
    /// Of the memory, half is there for what handlers emit before one has to wait, a quarter for the batches that they
    /// are at then, another eighth for letters beyond their half.
    const SHARE: u64 = 8;

    /// What leaves enough of a flow's memory to what handlers emit.
    pub(crate) fn within(self, memory: u64) -> Credit {
        Credit { bytes: self.bytes.min(memory / Credit::SHARE), ..self }
    }
}

impl Default for Credit {
    fn default() -> Self {
        Credit { bytes: 16 << 20, items: 65_536 }
    }
}

/// What each dead pool keeps at most. Beyond that its oldest letters are dropped, and counted in the report; a
/// letter that is larger than all that may be kept is dropped itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DeadLetterLimit {
    /// Letters; 0 keeps none.
    pub items: u64,
    /// Bytes of their keys and JSON, bookkeeping included. By default a dead pool takes a quarter of the flow's
    /// memory at most, and all together half of it.
    pub bytes: u64,
}

impl Default for DeadLetterLimit {
    fn default() -> Self {
        DeadLetterLimit { items: 10_000, bytes: 64 << 20 }
    }
}

impl DeadLetterLimit {
    /// The part of `memory` that one dead pool may take.
    pub(crate) const SHARE: u64 = 4;

    /// What each of so many dead pools keeps within `memory`: what was asked for, else so much that letters alone
    /// do not stop the flow.
    pub(crate) fn within(self, memory: u64, pools: usize) -> DeadLetterLimit {
        if self.bytes != Self::default().bytes {
            return self;
        }
        DeadLetterLimit { bytes: self.bytes.min(memory / Self::SHARE.max(2 * pools as u64)), ..self }
    }
}

/// A pool.
#[must_use = "it describes a pool, which has to be added to a flow"]
#[derive(Clone, PartialEq, Debug)]
pub struct Pool {
    /// Its path: `/` and a name, possibly several.
    pub path: String,
    /// Whether it keeps what is put into it.
    pub kind: PoolKind,
    /// Versions of a key that are kept, at least 1.
    pub keep: usize,
    /// What its values are.
    pub value: ValueType,
}

impl Pool {
    /// A volatile pool that keeps one version of each key.
    pub fn new(path: impl Into<String>) -> Pool {
        Pool { path: path.into(), kind: PoolKind::Volatile, keep: 1, value: ValueType::Bytes }
    }

    /// A pool that stores nothing.
    pub fn trigger(path: impl Into<String>) -> Pool {
        Pool { kind: PoolKind::Trigger, ..Pool::new(path) }
    }

    /// Keeps this many versions of a key.
    pub fn keep(self, versions: usize) -> Pool {
        Pool { keep: versions, ..self }
    }

    /// A volatile pool whose values are a `T`: a blittable type, `str`, or `Packed<P>`.
    pub fn of<T: Encode + ?Sized>(path: impl Into<String>) -> Pool {
        Pool::new(path).values(ValueType::of::<T>())
    }

    /// Takes values of this type only.
    pub fn values(self, value: ValueType) -> Pool {
        Pool { value, ..self }
    }
}

/// Whether a pool keeps what is put into it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PoolKind {
    /// In memory, as long as the flow runs.
    Volatile,
    /// Stores nothing: a put runs the handlers.
    Trigger,
}

/// What the values of a pool are. A value of another size is refused when it is put or emitted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum ValueType {
    /// Any bytes.
    #[default]
    Bytes,
    /// UTF-8.
    Text,
    /// One byte.
    U8,
    /// Two bytes, little endian, as all that follow.
    U16,
    /// Four bytes.
    U32,
    /// Eight bytes.
    U64,
    /// One byte, signed.
    I8,
    /// Two bytes, signed.
    I16,
    /// Four bytes, signed.
    I32,
    /// Eight bytes, signed.
    I64,
    /// Four bytes, IEEE 754.
    F32,
    /// Eight bytes, IEEE 754.
    F64,
    /// A blittable type of the handlers': a typed handler must take or emit one of this name and size.
    Blittable {
        /// Its name, without module or namespace.
        name: Arc<str>,
        /// Bytes of a value.
        size: u32,
    },
    /// A packed type of the handlers': a typed handler must take or emit one of this name.
    Packed {
        /// Its name, without module or namespace.
        name: Arc<str>,
    },
}

impl ValueType {
    /// All types that are one word in a flow's file.
    pub const ALL: [(&'static str, ValueType); 12] = [
        ("bytes", ValueType::Bytes),
        ("text", ValueType::Text),
        ("u8", ValueType::U8),
        ("u16", ValueType::U16),
        ("u32", ValueType::U32),
        ("u64", ValueType::U64),
        ("i8", ValueType::I8),
        ("i16", ValueType::I16),
        ("i32", ValueType::I32),
        ("i64", ValueType::I64),
        ("f32", ValueType::F32),
        ("f64", ValueType::F64),
    ];

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            ValueType::Blittable { name, .. } | ValueType::Packed { name } => name,
            word => Self::ALL.iter().find(|(_, value)| value == word).map_or("bytes", |(name, _)| name),
        }
    }

    /// Bytes of a value, when all have the same.
    #[must_use]
    pub fn size(&self) -> Option<usize> {
        match self {
            ValueType::Bytes | ValueType::Text | ValueType::Packed { .. } => None,
            ValueType::Blittable { size, .. } => Some(*size as usize),
            ValueType::U8 | ValueType::I8 => Some(1),
            ValueType::U16 | ValueType::I16 => Some(2),
            ValueType::U32 | ValueType::I32 | ValueType::F32 => Some(4),
            ValueType::U64 | ValueType::I64 | ValueType::F64 => Some(8),
        }
    }
}

/// A line for a message, cut where nobody reads on.
fn quoted(line: &[u8]) -> String {
    let shown = &line[..line.len().min(80)];
    format!("{:?}{}", String::from_utf8_lossy(shown), if shown.len() < line.len() { "…" } else { "" })
}

macro_rules! read_numbers {
    ($($variant:ident $type:ident),+) => {
        impl ValueType {
            /// Appends the value that a line of text says: a number of this type, else the line's own bytes.
            ///
            /// # Errors
            ///
            /// The line is not a number of this type; the error says what is wrong with it.
            pub fn read_text(&self, line: &[u8], value: &mut Vec<u8>) -> Result<(), String> {
                let text = || std::str::from_utf8(line).unwrap_or("").trim();
                match self {
                    $(ValueType::$variant => {
                        let number: $type = text().parse()
                            .map_err(|error| format!("{} is not a {self}: {error}", quoted(line)))?;
                        value.extend_from_slice(&number.to_le_bytes());
                    })+
                    _ => value.extend_from_slice(line),
                }
                Ok(())
            }
        }
    };
}
read_numbers!(U8 u8, U16 u16, U32 u32, U64 u64, I8 i8, I16 i16, I32 i32, I64 i64, F32 f32, F64 f64);

impl fmt::Display for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for ValueType {
    type Err = ();

    fn from_str(name: &str) -> Result<ValueType, ()> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone()).ok_or(())
    }
}

/// A handler on a path.
#[must_use = "it describes a handler, which has to be added to a flow"]
#[derive(Clone, PartialEq, Debug)]
pub struct OnSpec {
    /// Its name, unique in the flow.
    pub name: String,
    /// The path that it watches: the pool of this path and all below it.
    pub on: String,
    /// The pools that it may emit to.
    pub to: Vec<String>,
    /// The pools that it may read.
    pub read: Vec<String>,
    /// Which of its items wait for each other.
    pub order: Order,
    /// Items in a batch at most; as many as [`FlowSpec::batch`] says when `None`.
    pub batch: Option<usize>,
    /// How often a failed item is tried again before it is buried.
    pub retry: u32,
    /// How long an item waits before it is tried again for the first time. The wait doubles with each failure,
    /// up to a minute, and is shortened by up to half, at random. Zero: it is tried again at once.
    pub retry_delay: Duration,
    /// Calls that may be open at a time, of a handler that answers later: items that it is at, over all workers. Nothing else
    /// may have it. [`OnSpec::IN_FLIGHT`] when `None`; 1000 at most in processes of its own.
    pub in_flight: Option<usize>,
    /// Items a second that it is handed over at most, tries included; evenly, but for what it could have had in the last
    /// 10 ms.
    pub rate: Option<f64>,
    /// How long an answer that comes later may take. Then the handler is told to cancel the item, which has failed with
    /// the cause `timed out`. In processes of its own it is [`Isolation::deadline`] where that says nothing.
    pub deadline: Option<Duration>,
    /// Whether it may be part of a cycle.
    pub cycle: bool,
    /// What it is told when it is opened, name and value.
    pub settings: Vec<(String, String)>,
    /// An object that it handles before the flow takes any.
    pub warm: Option<Sample>,
    /// Where its code is; `None` for code of this program.
    pub code: Option<HandlerSpec>,
}

impl OnSpec {
    /// [`OnSpec::in_flight`] unless somebody says otherwise.
    pub const IN_FLIGHT: usize = 100;

    /// A handler of this program on `on`, in key order, without retries.
    pub fn new(name: impl Into<String>, on: impl Into<String>) -> OnSpec {
        OnSpec {
            name: name.into(),
            on: on.into(),
            to: Vec::new(),
            read: Vec::new(),
            order: Order::Key,
            batch: None,
            retry: 0,
            retry_delay: Duration::ZERO,
            in_flight: None,
            rate: None,
            deadline: None,
            cycle: false,
            settings: Vec::new(),
            warm: None,
            code: None,
        }
    }

    /// Whether it is called with the objects of the pool of this path: that of its `on`, or one below it. Dead pools
    /// are watched only by a path that begins with theirs.
    #[must_use]
    pub fn watches(&self, pool: &str) -> bool {
        crate::graph::covers(&self.on, pool)
    }

    /// May emit to this pool. The first one named is where it emits by default.
    pub fn to(mut self, pool: impl Into<String>) -> OnSpec {
        self.to.push(pool.into());
        self
    }

    /// May read this pool.
    pub fn read(mut self, pool: impl Into<String>) -> OnSpec {
        self.read.push(pool.into());
        self
    }

    /// Its code is in a file, for [`crate::FlowBuilder::on_guest`]: which guest it is written for (`native`, `csharp`,
    /// `python`, `node`), the file, and the handler in it. What [`OnSpec::isolation`] has said before is kept; a guest whose
    /// handlers always run in processes of their own needs none.
    pub fn code(
        self,
        guest: impl Into<String>,
        file: impl Into<PathBuf>,
        class: impl Into<String>,
    ) -> OnSpec {
        let code = HandlerSpec::new(&self.name, guest, file, class);
        let always = KnownGuest::named(&code.guest).is_some_and(|guest| guest.apart);
        let isolation = self.isolated().cloned().or_else(|| always.then(Isolation::default));
        let code = HandlerSpec { isolation, ..code };
        OnSpec { code: Some(code), ..self }
    }

    /// Its [`OnSpec::code`] runs in processes of its own, which a host for those starts. Each runs on a worker of its own
    /// beside [`FlowSpec::workers`].
    pub fn isolation(mut self, isolation: Isolation) -> OnSpec {
        // Without code it is one of this program, which cannot be isolated: `check` says so.
        let code = self.code.get_or_insert_with(|| HandlerSpec::new(&self.name, "", "", ""));
        code.isolation = Some(isolation);
        self
    }

    /// How it runs in processes of its own; `None` where it runs in this one.
    pub(crate) fn isolated(&self) -> Option<&Isolation> {
        self.code.as_ref()?.isolation.as_ref()
    }

    /// Which of its items wait for each other.
    pub fn order(self, order: Order) -> OnSpec {
        OnSpec { order, ..self }
    }

    /// How often a failed item is tried again.
    pub fn retry(self, retry: u32) -> OnSpec {
        OnSpec { retry, ..self }
    }

    /// Items in a batch at most.
    pub fn batch(self, items: usize) -> OnSpec {
        OnSpec { batch: Some(items), ..self }
    }

    /// How long a failed item waits before it is tried again for the first time: [`OnSpec::retry_delay`].
    pub fn retry_delay(self, delay: Duration) -> OnSpec {
        OnSpec { retry_delay: delay, ..self }
    }

    /// Calls that may be open at a time: [`OnSpec::in_flight`].
    pub fn in_flight(self, calls: usize) -> OnSpec {
        OnSpec { in_flight: Some(calls), ..self }
    }

    /// Items a second at most: [`OnSpec::rate`].
    pub fn rate(self, items: f64) -> OnSpec {
        OnSpec { rate: Some(items), ..self }
    }

    /// How long an answer may take that comes later: [`OnSpec::deadline`].
    pub fn deadline(self, deadline: Duration) -> OnSpec {
        OnSpec { deadline: Some(deadline), ..self }
    }

    /// May be part of a cycle.
    pub fn cycle(self) -> OnSpec {
        OnSpec { cycle: true, ..self }
    }

    /// What it is told when it is opened.
    pub fn setting(mut self, name: impl Into<String>, value: impl Into<String>) -> OnSpec {
        self.settings.push((name.into(), value.into()));
        self
    }

    /// Handles this object when it has been opened, before the flow takes any: what a first object has to wait
    /// for, as compiling, happens then.
    ///
    /// Each instance gets it once, as an object of version 0 in the first pool that the handler watches, so that a
    /// handler with a memory can tell it from one that was put. What it emits is checked and thrown away, nothing
    /// is counted in the report, and a failure fails the start. What else the handler does with it, such as
    /// printing, is really done.
    pub fn warm(self, key: impl Into<String>, value: impl Into<Vec<u8>>) -> OnSpec {
        OnSpec { warm: Some(Sample { key: key.into(), value: value.into() }), ..self }
    }
}

/// An object that a handler is warmed up with; see [`OnSpec::warm`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sample {
    /// Its key.
    pub key: String,
    /// Its value, which is one of the type of the first pool that the handler watches.
    pub value: Vec<u8>,
}

/// Which items of a handler wait for each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// Items of the same key, in the order of their versions.
    #[default]
    Key,
    /// None: any worker may take any item.
    Any,
    /// All: one worker, one item after the other.
    Single,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_of_dead_letters_gives_way_to_a_small_memory_and_to_many_pools() {
        let default = DeadLetterLimit::default();
        assert_eq!(default.within(32 << 20, 1).bytes, 8 << 20);
        assert_eq!(default.within(1 << 30, 32).bytes, 16 << 20, "all dead pools take half of it");
        let asked = DeadLetterLimit { items: 0, bytes: 200 << 20 };
        assert_eq!(asked.within(1 << 30, 32), asked);
    }
}
