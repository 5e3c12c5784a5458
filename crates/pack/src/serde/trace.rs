//! Finds out what a type is made of by what its `Deserialize` asks for, one question at a time.

use super::error::unsupported;
use super::probe::{Found, Seen, Step};
use super::shape::{Case, Class, ClassKind, Id, Leaf, Map, Member, Names, Node, Nodes, Part, Union, What};
use crate::members::MOST;
use crate::prelude::*;
use crate::{Error, Form, Layout};
use core::any::TypeId;

/// The most types inside one another.
const DEEPEST: usize = 128;

/// Answers what the type asks for at the end of a path.
pub(super) type Ask<'a> = dyn FnMut(&[Step], &mut Seen) -> Result<(), Error> + 'a;

/// All types in the one that `ask` asks.
pub(super) fn trace(ask: &mut Ask<'_>) -> Result<Nodes, Error> {
    let mut trace = Trace { nodes: Vec::new(), known: Vec::new(), path: Vec::new(), ask };
    let root = trace.node()?;
    Ok(Nodes { root, all: trace.nodes })
}

struct Trace<'t, 'a> {
    nodes: Vec<Node>,
    /// Types that may lie in themselves.
    known: Vec<(TypeId, Id)>,
    path: Vec<Step>,
    ask: &'t mut Ask<'a>,
}

impl Trace<'_, '_> {
    fn ask(&mut self) -> Result<(Found, Seen), Error> {
        let mut seen = Seen::default();
        let asked = (self.ask)(&self.path, &mut seen);
        match (seen.found, asked) {
            (Some(found), _) => Ok((found, seen)),
            (None, Ok(())) => Err(unsupported(
                "its `Deserialize` asks for nothing, so it has no bytes: `#[serde(skip)]` leaves it out",
            )),
            (None, Err(error)) => Err(unsupported(format!(
                "what follows in the type cannot be found out, as a part before it takes no sample value ({}): \
                 make that the last item, or a struct of its own",
                error.message()
            ))),
        }
    }

    /// What lies one step further.
    fn after<T>(&mut self, step: Step, look: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        if self.path.len() == DEEPEST {
            return Err(unsupported(format!(
                "more than {DEEPEST} types lie inside one another: a type that lies in itself must do so in a \
                 struct that is not `transparent`, a list or an enum"
            )));
        }
        self.path.push(step);
        let found = look(self);
        self.path.pop();
        found
    }

    fn push(&mut self, node: Node) -> Id {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    fn known(&self, key: TypeId) -> Option<Id> {
        self.known.iter().find(|(known, _)| *known == key).map(|(_, id)| *id)
    }

    /// A node that may be met again inside itself.
    fn open(&mut self, key: TypeId, node: Node) -> Id {
        let id = self.push(node);
        self.known.push((key, id));
        id
    }

    fn node(&mut self) -> Result<Id, Error> {
        let (found, _) = self.ask()?;
        match found {
            Found::Leaf(leaf) => Ok(self.push(Node::raw(What::Leaf(leaf), leaf.layout()))),
            Found::Text => Ok(self.push(Node::managed(What::Text, Form::Counted, 4))),
            Found::Bytes => {
                let item = self.push(Node::raw(What::Leaf(Leaf::U8), Leaf::U8.layout()));
                Ok(self.push(Node::managed(What::List { item, size: 1 }, Form::Counted, 4)))
            }
            Found::Option => self.maybe(),
            Found::List(key) => self.list(key),
            Found::Map(key) => self.map(key),
            Found::Tuple(count) => self.tuple(count),
            Found::UnitStruct(name) => {
                let class = Class { name, members: Vec::new(), kind: ClassKind::Unit };
                Ok(self.push(Node::managed(What::Class(class), Form::Object, 1)))
            }
            Found::Newtype(key, name) => self.class(key, name, ClassKind::Newtype, |trace| {
                Ok(vec![Member { node: trace.after(Step::Newtype, Self::node)?, name: "" }])
            }),
            Found::TupleStruct(key, name, count) => {
                self.class(key, name, ClassKind::Fields, |trace| trace.items(count))
            }
            Found::Struct(key, name, fields) => {
                self.class(key, name, ClassKind::Fields, |trace| trace.fields(fields))
            }
            Found::Enum(key, name, variants) => {
                self.enumeration(key, name, variants).map_err(|error| error.inside(name))
            }
            Found::Unit => Err(unsupported(
                "`()` takes no bytes, and C# has no such type: `#[serde(skip)]` leaves it out",
            )),
            Found::Any => Err(unsupported(
                "the type asks the bytes what they are (`deserialize_any`), and they do not say: instead of \
                 `untagged`, `tag = …` or a dynamic value, use an enum as serde tags it by default",
            )),
            Found::Identifier => Err(unsupported(
                "the names of flattened fields are not in the bytes: instead of `#[serde(flatten)]`, make it a member",
            )),
            _ => Err(unsupported(
                "the type skips values whose type it does not know, and the bytes do not say it: \
                 give it the type that was written",
            )),
        }
    }

    fn maybe(&mut self) -> Result<Id, Error> {
        let of = self.after(Step::Some, Self::node)?;
        let node = &self.nodes[of];
        let node = match (node.layout, node.form) {
            (Some(layout), _) => {
                let mut offsets = [0; 2];
                Layout::sequential_at(&[Layout::primitive(1), layout], usize::MAX, &mut offsets);
                Node::raw(What::Maybe { of, at: offsets[1] }, layout.nullable())
            }
            (None, Form::Nullable) => {
                return Err(unsupported(
                    "an `Option` of what can be null already has no form: leave one out",
                ));
            }
            (None, form) => {
                let min = if matches!(form, Form::Counted) { 4 } else { 1 };
                Node::managed(What::Maybe { of, at: 0 }, Form::Nullable, min)
            }
        };
        Ok(self.push(node))
    }

    fn list(&mut self, key: TypeId) -> Result<Id, Error> {
        if let Some(id) = self.known(key) {
            return Ok(id);
        }
        let id = self.open(key, Node::managed(What::List { item: 0, size: 0 }, Form::Counted, 4));
        let (item, size) = self.after(Step::Element, |trace| {
            let (_, seen) = trace.ask()?;
            Ok((trace.node()?, seen.size))
        })?;
        self.nodes[id].what = What::List { item, size };
        Ok(id)
    }

    fn map(&mut self, key: TypeId) -> Result<Id, Error> {
        if let Some(id) = self.known(key) {
            return Ok(id);
        }
        let map = Map { key: 0, value: 0, raw: None, size: 0 };
        let id = self.open(key, Node::managed(What::Map(map), Form::Counted, 4));
        let key = self.after(Step::Key, Self::node)?;
        let (value, size) = self.after(Step::Value, |trace| {
            let (_, seen) = trace.ask()?;
            Ok((trace.node()?, seen.size))
        })?;
        let mut offsets = [0; 2];
        let raw = match (self.nodes[key].layout, self.nodes[value].layout) {
            (Some(key), Some(value)) => {
                let whole = Layout::sequential_at(&[key, value], usize::MAX, &mut offsets);
                Some((whole.size, offsets[1]))
            }
            _ => None,
        };
        self.nodes[id].what = What::Map(Map { key, value, raw, size });
        Ok(id)
    }

    fn tuple(&mut self, count: usize) -> Result<Id, Error> {
        let Some(last) = count.checked_sub(1) else {
            return Err(unsupported(
                "an array without items takes no bytes, and C# has none: `#[serde(skip)]` leaves it out",
            ));
        };
        let (_, seen) = self.after(Step::Item(last), Self::ask)?;
        if seen.items.len() == count && !seen.tuple && seen.items.iter().all(|item| *item == seen.items[0]) {
            let item = self.after(Step::Item(0), Self::node)?;
            let node = match self.nodes[item].layout {
                Some(layout) => Node::raw(What::Array { item, count }, layout.array(count)),
                None => Node::managed(What::Array { item, count }, Form::Counted, 4),
            };
            return Ok(self.push(node));
        }
        let mut items = Vec::new();
        for item in 0..count {
            items.push(self.after(Step::Item(item), Self::node)?);
        }
        let node = self.tuple_of(&items);
        Ok(self.push(node))
    }

    fn tuple_of(&self, items: &[Id]) -> Node {
        if let Some((layout, offsets)) = self.automatic(items) {
            return Node::raw(What::Tuple(block(items, &offsets, layout.size)), layout);
        }
        let (first, rest) = items.split_at(items.len().min(7));
        let alone = |node: &Id| Part { node: *node, at: None, opens: None, closes: false };
        let mut parts: Vec<Part> = first.iter().map(alone).collect();
        // Each managed or raw by itself, but for the rest, which is a tuple of its own.
        let mut min = first.iter().fold(0, |min: usize, item| min.saturating_add(self.nodes[*item].min));
        if !rest.is_empty() {
            let rest = self.tuple_of(rest);
            min = min.saturating_add(rest.min);
            if let What::Tuple(rest) = rest.what {
                parts.extend(rest);
            }
        }
        Node::managed(What::Tuple(parts), Form::Struct, min)
    }

    /// The layout of a tuple whose items are all unmanaged: seven, and a tuple of the rest.
    fn automatic(&self, items: &[Id]) -> Option<(Layout, Vec<usize>)> {
        let (first, rest) = items.split_at(items.len().min(7));
        let mut layouts = first.iter().map(|item| self.nodes[*item].layout).collect::<Option<Vec<_>>>()?;
        let rest = if rest.is_empty() { None } else { Some(self.automatic(rest)?) };
        layouts.extend(rest.as_ref().map(|(layout, _)| *layout));
        let mut offsets = vec![0; layouts.len()];
        let whole = Layout::automatic_at(&layouts, &mut offsets);
        if let (Some((_, inner)), Some(begin)) = (rest, offsets.get(7).copied()) {
            offsets.truncate(7);
            offsets.extend(inner.iter().map(|offset| begin + offset));
        }
        Some((whole, offsets))
    }

    fn class(
        &mut self,
        key: TypeId,
        name: &'static str,
        kind: ClassKind,
        members: impl FnOnce(&mut Self) -> Result<Vec<Member>, Error>,
    ) -> Result<Id, Error> {
        if let Some(id) = self.known(key) {
            return Ok(id);
        }
        let class = |members| What::Class(Class { name, members, kind });
        let id = self.open(key, Node::managed(class(Vec::new()), Form::Object, 1));
        let members = members(self).and_then(at_most).map_err(|error| error.inside(name))?;
        self.nodes[id].what = class(members);
        Ok(id)
    }

    fn items(&mut self, count: usize) -> Result<Vec<Member>, Error> {
        (0..count)
            .map(|item| Ok(Member { node: self.after(Step::Item(item), Self::node)?, name: "" }))
            .collect()
    }

    /// The fields of a struct. Their names are not all of them where there are aliases, so derived visitors are asked by
    /// number.
    fn fields(&mut self, fields: &'static [&'static str]) -> Result<Vec<Member>, Error> {
        let Some(first) = fields.first() else { return Ok(Vec::new()) };
        let missing =
            |found: &Result<(Found, Seen), Error>| matches!(found, Err(_) | Ok((Found::Ignored, _)));
        let by_number = !missing(&self.after(Step::Field(0), Self::ask));
        let by_name = !by_number && !missing(&self.after(Step::Named(first), Self::ask));
        let mut members = Vec::new();
        for (number, name) in fields.iter().copied().enumerate() {
            let step = match (by_number, by_name) {
                (true, _) => Step::Field(number),
                (false, true) => Step::Named(name),
                (false, false) => Step::Item(number),
            };
            if by_number && missing(&self.after(step, Self::ask)) {
                break;
            }
            let node = self.after(step, Self::node).map_err(|error| error.inside(name))?;
            members.push(Member { node, name });
        }
        if members.len() < fields.len() {
            members.iter_mut().for_each(|member| member.name = "");
        }
        Ok(members)
    }

    fn enumeration(
        &mut self,
        key: TypeId,
        name: &'static str,
        variants: &'static [&'static str],
    ) -> Result<Id, Error> {
        if let Some(id) = self.known(key) {
            return Ok(id);
        }
        let mut found = Vec::new();
        for variant in 0..variants.len() {
            match self.after(Step::Variant(variant), Self::ask) {
                Ok((kind, _)) => found.push(kind),
                // The rest of the names are aliases.
                Err(_) if variant > 0 => break,
                Err(error) => return Err(error),
            }
        }
        if found.is_empty() {
            return Err(unsupported("it has no variants, so there is no value of it"));
        }
        if found.len() > usize::from(u16::MAX) + 1 {
            return Err(unsupported("a union has at most 65536 variants"));
        }
        let count = found.len();
        let names = Names { name, count, variants };
        if found.iter().all(|kind| matches!(kind, Found::UnitVariant)) {
            return Ok(self.open(key, Node::raw(What::Number(names), Leaf::I32.layout().checked())));
        }
        let union = Union { names, cases: Vec::new() };
        let id = self.open(key, Node::managed(What::Union(union), Form::Object, 2));
        for (variant, kind) in found.into_iter().enumerate() {
            // Aliases stand among the names.
            let title = if variants.len() == count { variants[variant] } else { name };
            let case = self.after(Step::Variant(variant), |trace| trace.case(title, kind))?;
            if let What::Union(union) = &mut self.nodes[id].what {
                union.cases.push(case);
            }
        }
        Ok(id)
    }

    fn case(&mut self, name: &'static str, kind: Found) -> Result<Case, Error> {
        let fields = |members, kind| Ok(Case::Fields(Class { name, members: at_most(members)?, kind }));
        let case = match kind {
            Found::NewtypeVariant => {
                let node = self.after(Step::Newtype, Self::node);
                node.and_then(|node| match (self.nodes[node].layout, self.nodes[node].form) {
                    (None, Form::Object) => Ok(Case::Object(node)),
                    _ => fields(vec![Member { node, name: "" }], ClassKind::Newtype),
                })
            }
            Found::TupleVariant(count) => {
                self.items(count).and_then(|members| fields(members, ClassKind::Fields))
            }
            Found::StructVariant(names) => {
                self.fields(names).and_then(|members| fields(members, ClassKind::Fields))
            }
            _ => fields(Vec::new(), ClassKind::Unit),
        };
        case.map_err(|error| error.inside(name))
    }
}

fn at_most(members: Vec<Member>) -> Result<Vec<Member>, Error> {
    if members.len() > MOST {
        return Err(unsupported(format!(
            "an object has at most {MOST} members, and this would have {}: put some of them into a struct of their own",
            members.len()
        )));
    }
    Ok(members)
}

/// Items that lie in one block.
fn block(items: &[Id], offsets: &[usize], size: usize) -> Vec<Part> {
    let last = items.len() - 1;
    let part = |(index, (node, at)): (usize, (&Id, &usize))| Part {
        node: *node,
        at: Some(*at),
        opens: (index == 0).then_some(size),
        closes: index == last,
    };
    items.iter().zip(offsets).enumerate().map(part).collect()
}
