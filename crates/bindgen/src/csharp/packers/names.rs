use super::Packers;
use crate::Diagnostics;
use crate::csharp::cx::Cx;
use crate::csharp::names::{member, pascal, scope, type_name};
use crate::model::{Api, Body, PackedBody, PackedId, Slot, Wire};
use std::collections::{HashMap, HashSet};

/// The names of a type's own members.
const OWN: [&str; 7] =
    ["Equals", "Finalize", "GetHashCode", "GetType", "MemberwiseClone", "ReferenceEquals", "ToString"];

/// Names that packers add to a type.
const ADDED: [&str; 3] = ["Overwrite", "Pack", "Unpack"];

/// Classes whose methods and constants the code of a type names, so that a member would hide them.
const CALLED: [&str; 8] =
    ["Array", "Math", "PackOptions", "PackOrder", "PackParts", "PackReader", "PackText", "UriKind"];

/// Types that the file names, which a type of the API would hide.
const MEANT: &[&str] = &[
    "Array",
    "ArrayPool",
    "BinaryPrimitives",
    "BitConverter",
    "DateOnly",
    "DateTime",
    "DateTimeOffset",
    "Dictionary",
    "Exception",
    "FormatException",
    "GC",
    "Guid",
    "HashSet",
    "Half",
    "IBufferWriter",
    "IComparer",
    "IEnumerable",
    "IEnumerator",
    "IPackShape",
    "Index",
    "InlineArray",
    "Int128",
    "InvalidOperationException",
    "KeyValuePair",
    "LayoutKind",
    "Lazy",
    "LinkedList",
    "List",
    "Math",
    "Memory",
    "MemoryMarshal",
    "MemoryPack",
    "MethodImpl",
    "MethodImplOptions",
    "Obsolete",
    "OperationStatus",
    "Pack",
    "PackBool",
    "PackBuffer",
    "PackDateOnly",
    "PackDateTime",
    "PackDateTimeOffset",
    "PackDecimal",
    "PackException",
    "PackGroup",
    "PackMemory",
    "PackOptions",
    "PackOrder",
    "PackParts",
    "PackReader",
    "PackRune",
    "PackSlots",
    "PackText",
    "PackTimeOnly",
    "PackWriter",
    "PlatformNotSupportedException",
    "Queue",
    "Range",
    "ReadOnlySpan",
    "ReferenceEqualityComparer",
    "SortedDictionary",
    "SortedSet",
    "Span",
    "Stack",
    "StructLayout",
    "System",
    "TimeOnly",
    "TimeSpan",
    "Tuple",
    "UInt128",
    "Unsafe",
    "Uri",
    "UriKind",
    "ValueTuple",
    "Version",
];

impl<'a> Packers<'a> {
    pub fn new(api: &'a Api, cx: &'a Cx<'a>, diagnostics: &mut Diagnostics) -> Packers<'a> {
        let mut names = Vec::new();
        let mut shared = HashSet::new();
        // Collisions among the bindings' own types were reported already.
        let parts = [parts_class(cx), shapes_class(cx)];
        let mut scope = cx.type_scope(&mut Diagnostics::default());
        for (index, packed) in api.packed.iter().enumerate() {
            let id = PackedId(index as u32);
            if let Some(name) = declared(cx, api, id) {
                names.push(name);
                shared.insert(id);
                continue;
            }
            let renamed = cx.options.rename.get(&packed.name);
            let mut name = match (renamed, &packed.body) {
                (Some(renamed), _) => type_name(renamed),
                (None, PackedBody::Union(_)) => interface(&pascal(&packed.name)),
                _ => type_name(&pascal(&packed.name)),
            };
            if is_meant(&name) || parts.contains(&name) {
                name.push('_');
            }
            scope.declare(&name, &packed.source, &packed.place, diagnostics);
            names.push(name);
        }
        let mut packers = Packers {
            api,
            cx,
            names,
            shared,
            cases: HashMap::new(),
            parts: Default::default(),
            shapes: Default::default(),
            arrays: Default::default(),
        };
        packers.name_cases(&mut scope, diagnostics);
        packers
    }

    /// A type's name.
    pub fn name(&self, id: PackedId) -> &str {
        &self.names[id.0 as usize]
    }

    /// The class of the parts.
    pub fn parts_class(&self) -> String {
        parts_class(self.cx)
    }

    /// The class of the shapes.
    pub fn shapes_class(&self) -> String {
        shapes_class(self.cx)
    }

    /// Whether a member of this name and type hides a class whose methods the file calls.
    fn hides(&self, name: &str, wire: &Wire) -> bool {
        let called = |id: &usize| {
            self.names[*id] == name
                && matches!(self.api.packed[*id].body, PackedBody::Object(_) | PackedBody::Union(_))
        };
        // A member may be called as its own type is.
        let ty = self.ty(wire);
        let same = ty == name || (!self.is_value(wire) && ty.strip_suffix('?') == Some(name));
        let value = |of: &Wire| self.is_value(of);
        let nullable = matches!(wire, Wire::Optional(of) if value(of));
        name == self.parts_class() || (!same || nullable) && (0..self.names.len()).any(|id| called(&id))
    }

    /// The names of a type's members.
    pub fn member_names(&self, id: PackedId, slots: &[Slot], diagnostics: &mut Diagnostics) -> Vec<String> {
        let packed = self.api.packed(id);
        let mut scope = scope();
        let mut names = Vec::new();
        for slot in slots {
            let mut name = member(&slot.name);
            let own = [&OWN[..], &ADDED, &CALLED].concat();
            if name == self.name(id) || own.contains(&name.as_str()) || self.hides(&name, &slot.wire) {
                name.push('_');
            }
            let source = format!("{}::{}", packed.source, slot.name);
            scope.declare(&name, &source, &packed.place, diagnostics);
            names.push(name);
        }
        names
    }
}

/// Whether the file uses this name for a type of its own or of .NET.
pub(super) fn is_meant(name: &str) -> bool {
    let array = name.strip_prefix("PackArray");
    MEANT.contains(&name) || array.is_some_and(|length| length.parse::<u64>().is_ok())
}

fn parts_class(cx: &Cx) -> String {
    format!("{}Packers", pascal(&cx.api.library).trim_start_matches('_'))
}

fn shapes_class(cx: &Cx) -> String {
    format!("{}Shapes", pascal(&cx.api.library).trim_start_matches('_'))
}

/// `IShape` for `Shape`.
fn interface(name: &str) -> String {
    let mut letters = name.chars();
    let is_one = letters.next() == Some('I') && letters.next().is_some_and(char::is_uppercase);
    if is_one { name.to_owned() } else { format!("I{name}") }
}

/// The name of the bindings' own type, if that lies in memory as it does on the wire.
fn declared(cx: &Cx, api: &Api, id: PackedId) -> Option<String> {
    let packed = api.packed(id);
    let (found, declared) = cx.api.declared().find(|(_, declared)| declared.source == packed.source)?;
    let same = match (&packed.body, &declared.body) {
        (PackedBody::Enum { of, .. }, Body::Enum(body)) => body.repr == of.repr,
        (PackedBody::Raw(raw), Body::Struct(record)) => {
            let placed = &raw.placed;
            let offsets: HashMap<&str, u64> =
                record.fields.iter().map(|field| (field.name.as_str(), field.offset)).collect();
            let mut fields = raw.fields.iter().zip(&placed.offsets);
            declared.layout.is_some_and(|layout| layout.size == placed.layout.size)
                && fields.all(|(field, offset)| offsets.get(field.name.as_str()) == Some(offset))
        }
        _ => false,
    };
    same.then(|| cx.name(found).to_owned())
}
