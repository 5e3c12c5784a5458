//! Changes in the order in which they were asked for, and as a run that is kept has them.

/// Changes of a graph, in the order in which they were asked for.
#[derive(Clone, Debug, Default)]
pub struct ChangeLog {
    calls: Vec<Call>,
    /// For each change the bytes of a value, which are 0 where it removes.
    values: Vec<u8>,
    /// How many bytes a value has; 0 where edges have none.
    size: usize,
}

/// A change, as it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edit<'a> {
    /// Where the edge comes from.
    pub from: usize,
    /// Where it goes to.
    pub to: usize,
    /// Whether an edge is added; all between the two vertices are removed otherwise.
    pub adds: bool,
    /// The value of an edge that is added, as little-endian bytes; none where edges have none, and of edges that are removed.
    pub value: &'a [u8],
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) adds: bool,
}

impl ChangeLog {
    pub(crate) fn new(size: usize) -> ChangeLog {
        ChangeLog { calls: Vec::new(), values: Vec::new(), size }
    }

    /// One that was kept; nothing where it is not what [`numbers`](ChangeLog::numbers) and [`values`](ChangeLog::values) come to for a graph of so
    /// many vertices.
    pub(crate) fn kept(numbers: &[u64], values: &[u8], size: usize, vertices: usize) -> Option<ChangeLog> {
        let (all, rest) = numbers.as_chunks();
        let place = |number: u64| usize::try_from(number).ok().filter(|place| *place < vertices);
        let call = |[from, to, adds]: &[u64; 3]| {
            Some(Call { from: place(*from)?, to: place(*to)?, adds: *adds != 0 })
        };
        let calls = all.iter().map(call).collect::<Option<Vec<Call>>>()?;
        let is_whole = rest.is_empty() && calls.len().checked_mul(size) == Some(values.len());
        is_whole.then(|| ChangeLog { calls, values: values.to_vec(), size })
    }

    /// Adds a change: one that adds an edge, with the bytes of its value, or one that removes.
    pub(super) fn push(&mut self, from: usize, to: usize, adds: Option<&[u8]>) {
        self.calls.push(Call { from, to, adds: adds.is_some() });
        self.values.extend_from_slice(adds.unwrap_or_default());
        self.values.resize(self.calls.len() * self.size, 0);
    }

    /// Adds those of another log of the same graph.
    pub(crate) fn append(&mut self, other: &ChangeLog) {
        self.calls.extend_from_slice(&other.calls);
        self.values.extend_from_slice(&other.values);
        self.size = other.size;
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.calls.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = Edit<'_>> {
        self.calls.iter().enumerate().map(|(index, Call { from, to, adds })| {
            let value = if *adds { self.value(index) } else { &[] };
            Edit { from: *from, to: *to, adds: *adds, value }
        })
    }

    pub(super) fn calls(&self) -> &[Call] {
        &self.calls
    }

    /// The bytes of one change's value.
    pub(super) fn value(&self, call: usize) -> &[u8] {
        &self.values[call * self.size..(call + 1) * self.size]
    }

    /// Three numbers for each: from, to, and whether it adds.
    pub(crate) fn numbers(&self) -> Vec<u64> {
        let three = |call: &Call| [call.from as u64, call.to as u64, call.adds.into()];
        self.calls.iter().flat_map(three).collect()
    }

    /// The bytes of all values.
    pub(crate) fn values(&self) -> &[u8] {
        &self.values
    }
}
