use super::{Enum, Place, Placed, Wire};
use std::ops::{Deref, DerefMut};

/// The types that travel packed, in the order of the source.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// The types.
    pub types: Vec<Packed>,
}

impl Deref for Plan {
    type Target = Vec<Packed>;

    fn deref(&self) -> &Vec<Packed> {
        &self.types
    }
}

impl DerefMut for Plan {
    fn deref_mut(&mut self) -> &mut Vec<Packed> {
        &mut self.types
    }
}

/// An index into [`Plan::types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PackedId(pub u32);

/// A type that travels in pack's wire form (`#[derive(Pack)]`). It is the same for all targets.
#[derive(Clone, Debug, PartialEq)]
pub struct Packed {
    /// Unique among the packed types of its API: the source's own name, with its module before it if two
    /// share one, and a generic's arguments after it (`Pair_i32_Person`).
    pub name: String,
    /// How the source spells it (`crate::shapes::Point`).
    pub source: String,
    /// Paragraphs, without comment signs.
    pub docs: String,
    /// The text of `#[deprecated]`, which may be empty.
    pub deprecated: Option<String>,
    /// Where it is written.
    pub place: Place,
    /// What it is.
    pub body: PackedBody,
    /// Whether a missing member of this type has a value. A type that holds a union has none, nor one that
    /// would hold itself.
    pub has_default: bool,
}

/// What a packed type is.
#[derive(Clone, Debug, PartialEq)]
pub enum PackedBody {
    /// A head, then members.
    Object(Object),
    /// `#[pack(raw)]`: its memory, padding included. The size is never 0.
    Raw(Raw),
    /// A number that is one of the variants' values; reading any other is an error. Raw. There is at least
    /// one variant.
    Enum {
        /// Its numbers, of at most 8 bytes.
        of: Enum,
        /// The variant marked `#[default]`.
        default: Option<usize>,
    },
    /// `#[pack(union)]`: a tag (u8 below 250, else `FA` and u16), then the object. `FF` is null.
    Union(Vec<Case>),
}

/// A C# class or managed struct.
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// What the head is.
    pub form: Form,
    /// `#[pack(struct)]`: never null by itself.
    pub value: bool,
    /// Whether no field was ignored: an ignored one may hold what makes a struct managed.
    pub whole: bool,
    /// In wire order, their slots ascending. At most 249.
    pub members: Vec<Slot>,
}

/// An object's head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// u8 count of members. Slots have no holes.
    Plain,
    /// u8 count of slots, a varint length of each; 0 is a hole or a missing member.
    VersionTolerant,
    /// The same, then a varint id; `FA` and a varint stand for an earlier object.
    Circular,
}

/// A member of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    /// The source's name, or its index (`0`).
    pub name: String,
    /// Its slot.
    pub index: u32,
    /// What it is.
    pub wire: Wire,
    /// `#[pack(include)]`: private in C#, with `[MemoryPackInclude]`.
    pub include: bool,
    /// Paragraphs, without comment signs.
    pub docs: String,
}

/// A C# unmanaged struct. Its fields lie as in C.
#[derive(Clone, Debug, PartialEq)]
pub struct Raw {
    /// `packed(N)`.
    pub packed: Option<u64>,
    /// In source order; each is raw itself. Their slots count up from 0.
    pub fields: Vec<Slot>,
    /// Where they lie.
    pub placed: Placed,
}

/// One case of a union.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The variant's name in the source.
    pub name: String,
    /// Its tag.
    pub tag: u16,
    /// What it holds: an object's [`Wire::Named`].
    pub wire: Wire,
    /// Paragraphs, without comment signs.
    pub docs: String,
}

impl Packed {
    /// Its name in a pool, in every language: the source's name without its path and parameters.
    #[must_use]
    pub fn pool_name(&self) -> &str {
        let path = self.source.split('<').next().unwrap_or_default();
        path.rsplit("::").next().unwrap_or_default()
    }
}

impl Object {
    /// How many slots there are, holes included.
    #[must_use]
    pub fn slots(&self) -> u32 {
        self.members.last().map_or(0, |last| last.index + 1)
    }
}

impl PackedBody {
    /// What it is made of.
    #[must_use]
    pub fn wires(&self) -> Vec<&Wire> {
        match self {
            PackedBody::Object(object) => object.members.iter().map(|member| &member.wire).collect(),
            PackedBody::Raw(raw) => raw.fields.iter().map(|field| &field.wire).collect(),
            PackedBody::Enum { .. } => Vec::new(),
            PackedBody::Union(cases) => cases.iter().map(|case| &case.wire).collect(),
        }
    }

    fn wires_mut(&mut self) -> Vec<&mut Wire> {
        match self {
            PackedBody::Object(object) => object.members.iter_mut().map(|member| &mut member.wire).collect(),
            PackedBody::Raw(raw) => raw.fields.iter_mut().map(|field| &mut field.wire).collect(),
            PackedBody::Enum { .. } => Vec::new(),
            PackedBody::Union(cases) => cases.iter_mut().map(|case| &mut case.wire).collect(),
        }
    }
}

impl Plan {
    /// The packed type.
    #[must_use]
    pub fn packed(&self, id: PackedId) -> &Packed {
        &self.types[id.0 as usize]
    }

    /// Leaves out the packed types that `keep` does not want, and those that hold one of them. Returns the
    /// latter, each with the type that caused it.
    pub fn keep(&mut self, keep: impl Fn(PackedId) -> bool) -> Vec<(Packed, String)> {
        let mut kept: Vec<bool> = (0..self.types.len() as u32).map(|id| keep(PackedId(id))).collect();
        let mut dropped = Vec::new();
        loop {
            let lost = |id: PackedId| !kept[id.0 as usize];
            let next = (0..kept.len()).filter(|index| kept[*index]).find_map(|index| {
                let mut named = None;
                for wire in self.types[index].body.wires() {
                    wire.any(&mut |wire| match wire {
                        Wire::Named(id) if lost(*id) => {
                            named = Some(*id);
                            true
                        }
                        _ => false,
                    });
                }
                named.map(|id| (index, id))
            });
            let Some((index, because)) = next else { break };
            kept[index] = false;
            dropped.push((self.types[index].clone(), self.packed(because).name.clone()));
        }
        let mut places = Vec::new();
        let mut next = 0;
        for kept in &kept {
            places.push(PackedId(next));
            next += u32::from(*kept);
        }
        let mut kept = kept.into_iter();
        self.types.retain(|_| kept.next().unwrap_or(true));
        self.renumber(|id| *id = places[id.0 as usize]);
        dropped
    }

    /// Calls `renumber` with every mention of a packed type.
    pub fn renumber(&mut self, renumber: impl Fn(&mut PackedId)) {
        for packed in &mut self.types {
            packed.body.wires_mut().into_iter().for_each(|wire| wire.named_mut(&mut |id| renumber(id)));
        }
    }
}
