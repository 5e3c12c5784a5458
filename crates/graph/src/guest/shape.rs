//! What a program says of itself.

use super::Gather;
use crate::value::ValueType;
use upcall_abi::kind;
use upcall_host::{Description, nearest};

/// Types of values, and what the program needs.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub(crate) own: Option<ValueType>,
    pub(crate) shown: ValueType,
    pub(crate) edge: Option<ValueType>,
    pub(crate) outgoing: bool,
    pub(crate) writes: bool,
    pub(crate) selective: bool,
    pub(crate) gather: Option<Gather>,
}

impl Shape {
    pub(crate) fn of(said: &Description) -> Result<Shape, String> {
        said.check_kind("the graph engine", kind::VERTEX)?;
        let (mut own, mut shown, mut edge) = (None, None, None);
        for (which, name) in &said.values {
            let of = ValueType::named(name).ok_or_else(|| {
                let names = ValueType::ALL.map(ValueType::name);
                let meant = nearest(name, names);
                let meant = meant.map_or(String::new(), |meant| format!(" (`{meant}`?)"));
                format!("`{which}` is {name}{meant}; it may be {}", names.join(", "))
            })?;
            match which.as_str() {
                "own" => own = Some(of),
                "shown" => shown = Some(of),
                "edge" => edge = Some(of),
                other => return Err(format!("it has values `{other}`, which the engine does not know")),
            }
        }
        let needs = |what: &str| said.needs.iter().any(|need| need == what);
        if let Some(other) =
            said.needs.iter().find(|need| !["outgoing", "writes", "selective"].contains(&need.as_str()))
        {
            return Err(format!("it needs `{other}`, which the engine does not have"));
        }
        if needs("writes") && edge.is_none() {
            return Err(
                "it writes values of edges and does not say of which type they are: `edge`".to_owned()
            );
        }
        let gather = match said.gather.as_str() {
            "" => None,
            by => Some(
                Gather::named(by)
                    .ok_or_else(|| format!("it gathers by `{by}`; it may be {}", Gather::NAMES.join(", ")))?,
            ),
        };
        Ok(Shape {
            own,
            shown: shown
                .ok_or("it does not say of which type `shown` is: what a vertex shows to its neighbours")?,
            edge,
            outgoing: needs("outgoing"),
            writes: needs("writes"),
            selective: needs("selective"),
            gather,
        })
    }
}
