//! Which bytes are a value of a type: where Rust's enums lie in it, and the numbers that they may hold.
//!
//! Any other number in one of these places is undefined behaviour in Rust, so back ends refuse it before they
//! call. Enums of C headers take every number and have no limits.

use super::{Api, Body, Int, Ty};

/// A place in a value, and what must be there.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// The field, as a program would write it behind the value (`pixel.color`, `Disc.edge`); empty for the value
    /// itself. Relative to the value that the list of limits is of.
    pub path: String,
    /// Bytes from the start of that value.
    pub offset: u64,
    /// What must be there.
    pub rule: Rule,
}

/// What must be in a place.
#[derive(Clone, Debug, PartialEq)]
pub enum Rule {
    /// An integer that is one of these numbers.
    Numbers {
        /// The integer.
        int: Int,
        /// What such a number is called: `a value of Color`, `a tag of Shape`.
        what: String,
        /// The numbers, ascending; with each the limits that hold besides if it is there, which are those of a
        /// variant's data, relative to the enum.
        numbers: Vec<(i128, Vec<Limit>)>,
    },
    /// So many values side by side.
    Each {
        /// How many.
        count: u64,
        /// Bytes from one to the next.
        stride: u64,
        /// The limits of each.
        limits: Vec<Limit>,
    },
}

impl Api {
    /// The limits of a type: none if any bytes are a value of it, as far as enums decide that.
    #[must_use]
    pub fn limits(&self, ty: &Ty) -> Vec<Limit> {
        let mut limits = Vec::new();
        self.add_limits(ty, "", 0, &mut limits);
        limits
    }

    fn add_limits(&self, ty: &Ty, path: &str, offset: u64, limits: &mut Vec<Limit>) {
        let under = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        match self.resolve(ty) {
            Ty::Array { of, len } => {
                let each = self.limits(of);
                if !each.is_empty() && *len > 0 {
                    let stride = self.layout(of).map_or(0, |layout| layout.size);
                    let rule = Rule::Each { count: *len, stride, limits: each };
                    limits.push(Limit { path: path.to_owned(), offset, rule });
                }
            }
            Ty::Named(id) => {
                let declared = self.get(*id);
                match &declared.body {
                    Body::Struct(record) => {
                        for field in record.fields.iter().filter(|field| field.bits.is_none()) {
                            self.add_limits(&field.ty, &under(&field.name), offset + field.offset, limits);
                        }
                    }
                    Body::Enum(body) if body.closed && !body.variants.is_empty() => {
                        let numbers = body.variants.iter().map(|variant| (variant.value, Vec::new()));
                        let rule = numbered(body.repr, format!("a value of {}", declared.name), numbers);
                        limits.push(Limit { path: path.to_owned(), offset, rule });
                    }
                    Body::Tagged(tagged) if !tagged.variants.is_empty() => {
                        let numbers = tagged.variants.iter().map(|variant| {
                            let mut inner = Vec::new();
                            for field in &variant.fields {
                                let name = format!("{}.{}", variant.name, field.name);
                                self.add_limits(&field.ty, &name, field.offset, &mut inner);
                            }
                            (variant.value, inner)
                        });
                        let rule = numbered(tagged.tag, format!("a tag of {}", declared.name), numbers);
                        limits.push(Limit { path: path.to_owned(), offset, rule });
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }

    /// What zeros lack to be a value of a type, which is what native code is given where a callback has failed:
    /// the offset and the size of integers, and the numbers that belong there.
    #[must_use]
    pub fn stand_in(&self, ty: &Ty) -> Vec<(u64, u64, i128)> {
        let mut numbers = Vec::new();
        self.settle(&self.limits(ty), 0, &mut numbers);
        numbers
    }

    fn settle(&self, limits: &[Limit], base: u64, settled: &mut Vec<(u64, u64, i128)>) {
        for limit in limits {
            let at = base + limit.offset;
            match &limit.rule {
                Rule::Each { count, stride, limits } => {
                    (0..*count).for_each(|index| self.settle(limits, at + index * stride, settled));
                }
                Rule::Numbers { int, numbers, .. } => {
                    let zero = numbers.iter().find(|(number, _)| *number == 0);
                    let (number, inner) = zero.unwrap_or(&numbers[0]);
                    if *number != 0 {
                        settled.push((at, self.int_size(*int), *number));
                    }
                    self.settle(inner, at, settled);
                }
            }
        }
    }
}

fn numbered(int: Int, what: String, numbers: impl Iterator<Item = (i128, Vec<Limit>)>) -> Rule {
    let mut numbers: Vec<_> = numbers.collect();
    numbers.sort_by_key(|(number, _)| *number);
    numbers.dedup_by_key(|(number, _)| *number);
    Rule::Numbers { int, what, numbers }
}

/// How a language writes limits as data.
pub(crate) trait Spelling {
    /// One place with its numbers, each with its own list, spelled.
    fn numbers(&self, limit: &Limit, int: Int, what: &str, numbers: &[(i128, String)]) -> String;
    /// One place with a list for each of its elements, spelled.
    fn each(&self, limit: &Limit, count: u64, stride: u64, limits: &str) -> String;
    /// A list.
    fn list(&self, items: &[String]) -> String;

    /// The limits, spelled.
    fn spell(&self, limits: &[Limit]) -> String {
        let one = |limit: &Limit| match &limit.rule {
            Rule::Numbers { int, what, numbers } => {
                let numbers: Vec<_> =
                    numbers.iter().map(|(number, inner)| (*number, self.spell(inner))).collect();
                self.numbers(limit, *int, what, &numbers)
            }
            Rule::Each { count, stride, limits } => self.each(limit, *count, *stride, &self.spell(limits)),
        };
        self.list(&limits.iter().map(one).collect::<Vec<_>>())
    }
}
