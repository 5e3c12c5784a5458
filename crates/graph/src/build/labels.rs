//! What the vertices of a graph that is made are called, by their places.

use super::table::Table;

pub(crate) enum Labels {
    /// Their places.
    Places,
    /// The numbers in a table, in this order.
    Numbers(Table, Vec<u32>),
    /// The names in a table.
    Names(Table),
}

impl Labels {
    /// How a message calls a vertex.
    pub(crate) fn of(&self, vertex: u64) -> String {
        match self {
            Labels::Places => vertex.to_string(),
            Labels::Numbers(table, order) => table.number(order[vertex as usize] as usize).to_string(),
            Labels::Names(table) => crate::read::shown(table.name(vertex as usize)),
        }
    }

    /// How many columns a file has of them.
    pub(crate) fn columns(&self) -> usize {
        match self {
            Labels::Places => 0,
            Labels::Numbers(..) => 1,
            Labels::Names(_) => 2,
        }
    }

    /// How many bytes of memory they take.
    pub(crate) fn memory(&self) -> usize {
        match self {
            Labels::Places => 0,
            Labels::Numbers(table, order) => table.memory() + 4 * order.capacity(),
            Labels::Names(table) => table.memory(),
        }
    }
}
