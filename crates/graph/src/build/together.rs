//! Edges between the same vertices, put together as was asked.

use super::Rules;
use super::labels::Labels;
use super::merge::Edges;
use super::policy::Duplicates;
use super::record::Edge;
use crate::error::{Error, ErrorKind};
use crate::value::{Bits, ValueType};
use std::cmp::Ordering;

pub(crate) struct Together {
    edges: Box<dyn Edges>,
    duplicates: Duplicates,
    values: Option<ValueType>,
    /// What has come already and is another edge than the last.
    ahead: Option<Edge>,
    left_out: u64,
}

impl Together {
    pub(crate) fn new(edges: Box<dyn Edges>, rules: &Rules) -> Together {
        let Rules { duplicates, values, .. } = *rules;
        Together { edges, duplicates, values, ahead: None, left_out: 0 }
    }

    /// How many edges were put together with others.
    pub(crate) fn left_out(&self) -> u64 {
        self.left_out
    }

    /// The next edge.
    #[inline]
    pub(crate) fn next(&mut self, labels: &Labels) -> Result<Option<Edge>, Error> {
        if self.duplicates == Duplicates::Keep {
            return self.edges.next();
        }
        let next = match self.ahead.take() {
            Some(edge) => Some(edge),
            None => self.edges.next()?,
        };
        let Some(mut edge) = next else { return Ok(None) };
        loop {
            match self.edges.next()? {
                Some(other) if (other.major, other.minor) == (edge.major, edge.minor) => {
                    self.left_out += 1;
                    edge.payload = self.one(&edge, other.payload, labels)?;
                }
                other => {
                    self.ahead = other;
                    return Ok(Some(edge));
                }
            }
        }
    }

    /// The value of two edges that are the same but for their values.
    fn one(&self, edge: &Edge, other: Bits, labels: &Labels) -> Result<Bits, Error> {
        let wrong = |what: &str| {
            let (from, to) = (labels.of(edge.minor), labels.of(edge.major));
            Error::new(ErrorKind::Input, format!("make a graph: the edge from {from} to {to} {what}"))
        };
        match (self.duplicates, self.values) {
            (Duplicates::Refuse, _) => Err(wrong("is there more than once, which was refused")),
            (Duplicates::Last, _) => Ok(other),
            (Duplicates::Sum, Some(value)) => value.add(edge.payload, other).ok_or_else(|| {
                wrong(&format!("is there more than once, and {value} has no room for the sum"))
            }),
            (Duplicates::Min, Some(value)) if value.order(other, edge.payload) == Ordering::Less => Ok(other),
            (Duplicates::Max, Some(value)) if value.order(other, edge.payload) == Ordering::Greater => {
                Ok(other)
            }
            _ => Ok(edge.payload),
        }
    }
}
