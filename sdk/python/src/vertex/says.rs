//! What a program's class says of itself.

use crate::number::Number;
use crate::py::{self, Kind, Outcome, Ref};
use crate::support;
use upcall_abi::DescribeWriter;

/// How a program likes vertices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// One by one: `update`.
    Vertex,
    /// One by one, with what their neighbours come to: `apply`.
    Gather,
    /// All of a frame at once: `interval`.
    Interval,
}

/// By what neighbours are gathered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Gather {
    Sum,
    Min,
    Max,
    Count,
}

/// What a program's class says.
#[derive(Clone, Copy, Debug)]
pub struct Says {
    /// Which method it has.
    pub form: Form,
    /// What a vertex keeps to itself.
    pub own: Option<Number>,
    /// What it shows.
    pub shown: Number,
    /// The value of an edge.
    pub edge: Option<Number>,
    /// Whether it looks at outgoing edges.
    pub outgoing: bool,
    /// Whether it sets values of outgoing edges, and so sees these too.
    pub writes: bool,
    /// Whether only vertices that see a change are updated.
    pub selective: bool,
    gather: Gather,
}

impl Says {
    /// Of a handler that `_support` has found to be a program.
    pub fn of(handler: &Ref) -> Outcome<Says> {
        let told = support::call(c"program", &[handler])?;
        let part = |index| py::item(&told, index);
        let (form, gather) = (part(0)?, part(7)?);
        let number = |index| Ok(Number::named(part(index)?.text()?));
        let is = |index| Ok(part(index)?.as_ptr() == py::bool(true).as_ptr());
        let form = match form.text()? {
            "vertex" => Form::Vertex,
            "gather" => Form::Gather,
            _ => Form::Interval,
        };
        let gather = match gather.text()? {
            "min" => Gather::Min,
            "max" => Gather::Max,
            "count" => Gather::Count,
            _ => Gather::Sum,
        };
        let Some(shown) = number(2)? else {
            // `_vertex` knows the same names.
            return Err(py::raise(Kind::Type, "what it shows is no number type"));
        };
        let (own, edge) = (number(1)?, number(3)?);
        let (outgoing, writes, selective) = (is(4)?, is(5)?, is(6)?);
        Ok(Says { form, own, shown, edge, outgoing, writes, selective, gather })
    }

    /// Whether outgoing edges are there.
    #[inline]
    pub fn sees_outgoing(&self) -> bool {
        self.outgoing || self.writes
    }

    /// Says it to the engine.
    pub fn describe(&self, describe: &mut DescribeWriter<'_>) {
        describe.form(match self.form {
            Form::Vertex => "vertex",
            Form::Gather => "gather",
            Form::Interval => "interval",
        });
        for (which, number) in [("own", self.own), ("shown", Some(self.shown)), ("edge", self.edge)] {
            if let Some(number) = number {
                describe.value(which, number.name());
            }
        }
        let needs = [("outgoing", self.outgoing), ("writes", self.writes), ("selective", self.selective)];
        for (what, needed) in needs {
            if needed {
                describe.needs(what);
            }
        }
        if self.form == Form::Gather {
            describe.gather(match self.gather {
                Gather::Sum => "sum",
                Gather::Min => "min",
                Gather::Max => "max",
                Gather::Count => "count",
            });
        }
    }

    /// The type of what neighbours come to.
    pub fn gathered(&self) -> Number {
        match self.gather {
            Gather::Sum | Gather::Count => Number::Float(8),
            Gather::Min | Gather::Max => self.shown,
        }
    }
}
