//! What is done with what lists of edges leave open. Nothing of it is guessed from the edges.

/// What is done with edges from a vertex to itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Loops {
    /// They are edges like others.
    #[default]
    Keep,
    /// They are left out; their vertices stay.
    Drop,
    /// The first one is an error.
    Refuse,
}

/// What is done with edges between the same vertices, in the same direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Duplicates {
    /// They are edges of their own, in the order in which they were read.
    #[default]
    Keep,
    /// The one that was read first stays.
    First,
    /// The one that was read last stays.
    Last,
    /// One stays, with the sum of their values, added up as they were read; what the type has no room for is an error.
    Sum,
    /// The one with the least value stays.
    Min,
    /// The one with the largest value stays.
    Max,
    /// The first one is an error.
    Refuse,
}

/// What the order of an edge's two vertices means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Direction {
    /// It goes from the first to the second.
    #[default]
    Directed,
    /// It goes from the second to the first.
    Reversed,
    /// Nothing: it is in the file once in each direction, a loop once. Lists that have both directions of an edge say it twice:
    /// [`Duplicates::First`] is for them.
    Undirected,
}

/// What vertices are called in lists of edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Vertices {
    /// By their places, numbers from 0 (in Matrix Market's files from 1): there are as many as the largest says, or so many.
    #[default]
    Keep,
    /// The same, with the number of vertices.
    Count(u64),
    /// By any u64 numbers, whose ascending order is that of their places. The table of numbers lies in memory.
    Dense,
    /// By any text, placed as they are met first. The table of names lies in memory.
    Names,
}
