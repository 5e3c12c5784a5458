use super::{Packers, Settings, scope};
use crate::plan::{PackedBody, PackedId, Plan, Slot, Wire};
use crate::{Report, Scope};
use std::collections::HashMap;

/// The names of a type's own members.
const OWN: [&str; 7] =
    ["Equals", "Finalize", "GetHashCode", "GetType", "MemberwiseClone", "ReferenceEquals", "ToString"];

/// Names that packers add to a type.
const ADDED: [&str; 3] = ["Overwrite", "Pack", "Unpack"];

/// Classes whose methods and constants the code of a type names, so that a member would hide them.
const CALLED: [&str; 8] =
    ["Array", "Math", "PackOptions", "PackOrder", "PackParts", "PackReader", "PackText", "UriKind"];

/// Types that the file names, which a type of the API would hide.
const MEANT: &str = "Array ArrayPool BinaryPrimitives BitConverter DateOnly DateTime DateTimeOffset Dictionary Exception \
    FormatException GC Guid HashSet Half IBufferWriter IComparer IEnumerable IEnumerator IPackShape \
    Index InlineArray Int128 InvalidOperationException KeyValuePair LayoutKind Lazy LinkedList List Math \
    Memory MemoryMarshal MemoryPack MethodImpl MethodImplOptions Obsolete OperationStatus Pack PackBool \
    PackBuffer PackDateOnly PackDateTime PackDateTimeOffset PackDecimal PackException PackGroup \
    PackMemory PackOptions PackOrder PackParts PackReader PackRune PackSlots PackText PackTimeOnly \
    PackWriter PlatformNotSupportedException Queue Range ReadOnlySpan ReferenceEqualityComparer \
    SortedDictionary SortedSet Span Stack StructLayout System TimeOnly TimeSpan Tuple UInt128 Unsafe Uri \
    UriKind ValueTuple Version";

impl<'a> Packers<'a> {
    /// `scope` has the names that the bindings take.
    pub fn new(
        plan: &'a Plan,
        settings: &'a Settings<'a>,
        mut scope: Scope,
        report: &mut dyn Report,
    ) -> Packers<'a> {
        let (pascal, type_name) = (settings.pascal, settings.spelling.type_name);
        let own = |what| format!("{}{what}", pascal(settings.library).trim_start_matches('_'));
        let mut packers = Packers {
            plan,
            settings,
            names: Vec::new(),
            functions_class: own("Packers"),
            shapes_class: own("Shapes"),
            cases: HashMap::new(),
            functions: Default::default(),
            shapes: Default::default(),
            arrays: Default::default(),
        };
        for packed in &plan.types {
            if let Some(name) = settings.declared.get(&packed.source) {
                packers.names.push(name.clone());
                continue;
            }
            let mut name = match (settings.rename.get(&packed.name), &packed.body) {
                (Some(renamed), _) => type_name(renamed),
                (None, PackedBody::Union(_)) => interface(&pascal(&packed.name)),
                _ => type_name(&pascal(&packed.name)),
            };
            if is_meant(&name) || [&packers.functions_class, &packers.shapes_class].contains(&&name) {
                name.push('_');
            }
            scope.declare(&name, &packed.source, &packed.place, report);
            packers.names.push(name);
        }
        packers.name_cases(&mut scope, report);
        packers
    }

    /// A type's name.
    pub fn name(&self, id: PackedId) -> &str {
        &self.names[id.0 as usize]
    }

    /// Whether a member of this name and type hides a class whose methods the file calls.
    fn hides(&self, name: &str, wire: &Wire) -> bool {
        let called = |id: &usize| {
            self.names[*id] == name
                && matches!(self.plan.types[*id].body, PackedBody::Object(_) | PackedBody::Union(_))
        };
        // A member may be called as its own type is.
        let ty = self.ty(wire);
        let same = ty == name || (!self.is_value(wire) && ty.strip_suffix('?') == Some(name));
        let value = |of: &Wire| self.is_value(of);
        let nullable = matches!(wire, Wire::Optional(of) if value(of));
        name == self.functions_class || (!same || nullable) && (0..self.names.len()).any(|id| called(&id))
    }

    /// The names of a type's members.
    pub fn member_names(&self, id: PackedId, slots: &[Slot], report: &mut dyn Report) -> Vec<String> {
        let packed = self.plan.packed(id);
        let mut scope = scope();
        let name = |slot: &Slot| {
            let mut name = (self.settings.spelling.member)(&slot.name);
            let own = [&OWN[..], &ADDED, &CALLED].concat();
            if name == self.name(id) || own.contains(&name.as_str()) || self.hides(&name, &slot.wire) {
                name.push('_');
            }
            let source = format!("{}::{}", packed.source, slot.name);
            scope.declare(&name, &source, &packed.place, report);
            name
        };
        slots.iter().map(name).collect()
    }

    /// Finds the class of each case: its object's, if no earlier case has that.
    fn name_cases(&mut self, scope: &mut Scope, report: &mut dyn Report) {
        for (index, packed) in self.plan.iter().enumerate() {
            let PackedBody::Union(cases) = &packed.body else { continue };
            let id = PackedId(index as u32);
            let mut classes = Vec::new();
            for (index, case) in cases.iter().enumerate() {
                let Wire::Named(object) = case.wire else { continue };
                if cases[..index].iter().all(|before| before.wire != case.wire) {
                    classes.push(self.name(object).to_owned());
                    continue;
                }
                let words = (self.settings.pascal)(&case.name);
                let mut name = (self.settings.spelling.type_name)(&words);
                let others = || self.cases.values().flatten().chain(&classes).chain(&self.names);
                if is_meant(&name) || others().any(|other| *other == name) {
                    name = format!("{}{words}", self.name(id));
                }
                let source = format!("{}::{}", packed.source, case.name);
                scope.declare(&name, &source, &packed.place, report);
                classes.push(name);
            }
            self.cases.insert(id, classes);
        }
    }
}

/// Whether the file uses this name for a type of its own or of .NET.
pub(super) fn is_meant(name: &str) -> bool {
    let array = name.strip_prefix("PackArray");
    MEANT.split(' ').any(|meant| meant == name) || array.is_some_and(|length| length.parse::<u64>().is_ok())
}

/// `IShape` for `Shape`.
fn interface(name: &str) -> String {
    let mut letters = name.chars();
    let is_one = letters.next() == Some('I') && letters.next().is_some_and(char::is_uppercase);
    if is_one { name.to_owned() } else { format!("I{name}") }
}
