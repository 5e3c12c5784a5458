//! What a packed value is in Java, and its default.

use super::{IMPORTS, Packers, Settings, scope};
use crate::Report;
use crate::plan::{Float, Int, Known, One, PackedBody, Plan, Wire};
use crate::refusal::{self, Refusal};

/// Classes of the package that do not belong to the API.
const OWN: [&str; 7] =
    ["Pack", "PackBytes", "PackException", "PackOptions", "PackReader", "PackWriter", "Packers"];

/// The most words that the members of a record may take: a constructor has 255, one of which is the object.
const WORDS: usize = 254;

/// The API without what Java cannot have; each such type is reported.
pub(super) fn supported(plan: &Plan, report: &mut dyn Report) -> Plan {
    let words = |wire: &Wire| if matches!(primitive(wire), Some("long" | "double")) { 2 } else { 1 };
    refusal::without(plan, "Java", report, |packed| {
        let words: usize = packed.body.wires().into_iter().map(words).sum();
        let long = words > WORDS && !matches!(packed.body, PackedBody::Union(_));
        refusal::brotli(packed, "Java").or(long.then(|| Refusal {
            what: "has more members than a constructor in Java may take".into(),
            help: "put some of them into a type of their own",
        }))
    })
}

/// The names of the types.
pub(super) fn names(plan: &Plan, settings: &Settings<'_>, report: &mut dyn Report) -> Vec<String> {
    let mut scope = scope();
    let mut names = Vec::new();
    for packed in &plan.types {
        let name = settings.renamed.get(&packed.name).cloned();
        let mut name = name.unwrap_or_else(|| (settings.spelling.type_name)(&packed.name));
        let imported = IMPORTS.iter().any(|import| import.rsplit('.').next() == Some(name.as_str()));
        if imported || OWN.contains(&name.as_str()) {
            name.push('_');
        }
        // Some file systems do not tell upper from lower case.
        scope.declare(&name.to_lowercase(), &packed.source, &packed.place, report);
        names.push(name);
    }
    names
}

/// What one call reads and writes.
pub(super) fn one(wire: &Wire) -> Option<One> {
    let (ty, default, method) = match wire {
        Wire::Bool => ("boolean", "false", "bool"),
        Wire::Int(int) => match int {
            Int::I8 | Int::U8 | Int::CChar => ("byte", "0", "i8"),
            Int::I16 | Int::U16 => ("short", "0", "i16"),
            Int::I32 | Int::U32 => ("int", "0", "i32"),
            Int::I128 | Int::U128 => ("BigInteger", "BigInteger.ZERO", "i128"),
            _ => ("long", "0", "i64"),
        },
        Wire::Float(Float::F32) => ("float", "0", "f32"),
        Wire::Float(Float::F64) => ("double", "0", "f64"),
        Wire::Rune => ("int", "0", "rune"),
        Wire::Char => ("char", "'\\0'", "unit"),
        Wire::Known(known) => match known {
            Known::Half => ("short", "0", "i16"),
            Known::Index => ("int", "0", "i32"),
            Known::TimeSpan => ("Duration", "Duration.ZERO", "timeSpan"),
            Known::DateTime => ("Pack.DateTime", "new Pack.DateTime(0)", "dateTime"),
            Known::DateTimeOffset => {
                ("OffsetDateTime", "OffsetDateTime.of(1, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC)", "dateTimeOffset")
            }
            Known::DateOnly => ("LocalDate", "LocalDate.of(1, 1, 1)", "dateOnly"),
            Known::TimeOnly => ("LocalTime", "LocalTime.MIDNIGHT", "timeOnly"),
            Known::Guid => ("UUID", "new UUID(0, 0)", "guid"),
            Known::Decimal => ("BigDecimal", "BigDecimal.ZERO", "decimal"),
            Known::Complex => ("Pack.Complex", "new Pack.Complex(0, 0)", "complex"),
            Known::Range => ("Pack.Range", "new Pack.Range(0, 0)", "range"),
        },
        Wire::Text(_) | Wire::Uri | Wire::Builder => ("String", "\"\"", "text"),
        Wire::Version => ("Pack.Version", "new Pack.Version(0, 0, -1, -1)", "version"),
        Wire::BigInteger => ("BigInteger", "BigInteger.ZERO", "bigInteger"),
        Wire::BitArray => ("boolean[]", "new boolean[0]", "bitArray"),
        Wire::BitPack => ("boolean[]", "new boolean[0]", "bits"),
        _ => return None,
    };
    Some(One { ty, default, method })
}

/// The primitive type that a value is.
pub(super) fn primitive(wire: &Wire) -> Option<&'static str> {
    one(wire).map(|one| one.ty).filter(|ty| class_of(ty) != *ty)
}

/// The method that reads and writes many of them at once, and the type of one. Runes are checked one by one.
pub(super) fn array(wire: &Wire) -> Option<(&'static str, &'static str)> {
    let ty = primitive(wire).filter(|_| *wire != Wire::Rune)?;
    let method = match ty {
        "boolean" => "bools",
        "byte" => "i8s",
        "short" => "i16s",
        "char" => "units",
        "int" => "i32s",
        "long" => "i64s",
        "float" => "f32s",
        _ => "f64s",
    };
    Some((method, ty))
}

/// The class in whose place a primitive type stands.
fn class_of(ty: &str) -> &str {
    match ty {
        "boolean" => "Boolean",
        "byte" => "Byte",
        "short" => "Short",
        "char" => "Character",
        "int" => "Integer",
        "long" => "Long",
        "float" => "Float",
        "double" => "Double",
        class => class,
    }
}

impl Packers<'_> {
    /// How a type is spelled.
    pub fn ty(&self, wire: &Wire) -> String {
        match wire {
            Wire::Named(id) => self.name(*id).to_owned(),
            Wire::List { of, kind } if kind.is_set() => format!("Set<{}>", self.boxed(of)),
            Wire::List { of, .. } | Wire::Fixed { of, .. } => match array(of) {
                Some((_, primitive)) => format!("{primitive}[]"),
                None => format!("List<{}>", self.boxed(of)),
            },
            Wire::Map { key, value, .. } => format!("Map<{}, {}>", self.boxed(key), self.boxed(value)),
            Wire::Grid { of, .. } => format!("Pack.Grid<{}>", self.ty(&Wire::list(of))),
            Wire::Tuple(items) | Wire::ClassTuple(items) => {
                self.tuples.borrow_mut().insert(items.len());
                let boxed: Vec<String> = items.iter().map(|item| self.boxed(item)).collect();
                format!("Pack.Tuple{}<{}>", boxed.len(), boxed.join(", "))
            }
            Wire::Pair(key, value) => format!("Map.Entry<{}, {}>", self.boxed(key), self.boxed(value)),
            Wire::Group(key, value) => {
                format!("Map.Entry<{}, {}>", self.boxed(key), self.ty(&Wire::list(value)))
            }
            Wire::Lazy(of) => format!("java.util.function.Supplier<{}>", self.boxed(of)),
            Wire::Optional(of) => self.boxed(of),
            one_call => one(one_call).map_or_else(String::new, |one| one.ty.to_owned()),
        }
    }

    /// The same as an argument of a generic type, or where it may be null.
    pub fn boxed(&self, wire: &Wire) -> String {
        class_of(&self.ty(wire)).to_owned()
    }

    /// What stands where nothing was read, for types that [`Plan::has_default`].
    pub fn default(&self, wire: &Wire) -> String {
        match wire {
            Wire::Optional(_) => "null".into(),
            Wire::Named(id) => match self.plan.default_variant(*id) {
                Some(variant) => format!("{}.{}", self.name(*id), (self.spelling.variant)(&variant.name)),
                None => format!("{}.defaults()", self.name(*id)),
            },
            Wire::List { kind, .. } if kind.is_set() => "new LinkedHashSet<>()".into(),
            Wire::List { of, .. } => match array(of) {
                Some((_, primitive)) => format!("new {primitive}[0]"),
                None => "PackReader.list(0)".into(),
            },
            Wire::Fixed { of, len } => match array(of) {
                Some((_, primitive)) => format!("new {primitive}[{len}]"),
                // Each is one of its own.
                None => format!("PackReader.<{}>made({len}, () -> {})", self.boxed(of), self.cast(of)),
            },
            Wire::Map { .. } => "new LinkedHashMap<>()".into(),
            Wire::Grid { of, rank } => {
                format!("new Pack.Grid<>(new int[{rank}], {})", self.default(&Wire::list(of)))
            }
            _ => match (one(wire), self.plan.parts(wire)) {
                (None, Some(parts)) => {
                    let values: Vec<String> = parts.wires.iter().map(|part| self.cast(part)).collect();
                    self.made(wire, &values)
                }
                (one, _) => one.map_or_else(String::new, |one| one.default.to_owned()),
            },
        }
    }

    /// A default with an explicit type: Java does not narrow arguments implicitly.
    pub fn cast(&self, wire: &Wire) -> String {
        match primitive(wire) {
            Some(narrow @ ("byte" | "short")) => format!("({narrow}) 0"),
            Some("long") => "0L".into(),
            Some("float") => "0f".into(),
            Some("double") => "0.0".into(),
            _ => self.default(wire),
        }
    }

    /// A value made of its parts.
    pub fn made(&self, wire: &Wire, values: &[String]) -> String {
        let values = values.join(", ");
        match wire {
            Wire::Lazy(_) => format!("() -> {values}"),
            Wire::Pair(..) | Wire::Group(..) => format!("new AbstractMap.SimpleImmutableEntry<>({values})"),
            _ => format!("new {}({values})", self.ty(wire)),
        }
    }
}
