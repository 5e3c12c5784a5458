use super::{IMPORTS, Packers};
use crate::Diagnostics;
use crate::java::Options;
use crate::java::names::{constant_name, scope, type_name};
use crate::model::{Api, Float, Int, Known, PackedBody, Wire, default_variant};
use crate::packers::{self, Refusal};

/// Classes of the package that do not belong to the API.
const OWN: [&str; 7] =
    ["Pack", "PackBytes", "PackException", "PackOptions", "PackReader", "PackWriter", "Packers"];

/// The most words that the members of a record may take: a constructor has 255, one of which is the object.
const WORDS: usize = 254;

/// The API without what Java cannot have; each such type is reported.
pub(super) fn supported(api: &Api, diagnostics: &mut Diagnostics) -> Api {
    let words = |wire: &Wire| match primitive(wire) {
        Some("long" | "double") => 2,
        _ => 1,
    };
    packers::without(api, "Java", diagnostics, |packed| {
        let words: usize = packed.body.wires().into_iter().map(words).sum();
        let long = words > WORDS && !matches!(packed.body, PackedBody::Union(_));
        let long = long.then(|| Refusal {
            what: "has more members than a constructor in Java may take".into(),
            help: "put some of them into a type of their own",
        });
        packers::brotli(packed, "Java").or(long)
    })
}

/// The names of the types.
pub(super) fn names(api: &Api, options: &Options, diagnostics: &mut Diagnostics) -> Vec<String> {
    let mut scope = scope();
    let mut names = Vec::new();
    for packed in &api.packed {
        let mut name = options.renamed.get(&packed.name).cloned().unwrap_or_else(|| type_name(&packed.name));
        let imported = IMPORTS.iter().any(|import| import.rsplit('.').next() == Some(name.as_str()));
        if imported || OWN.contains(&name.as_str()) {
            name.push('_');
        }
        // Some file systems do not tell upper from lower case.
        scope.declare(&name.to_lowercase(), &packed.source, &packed.place, diagnostics);
        names.push(name);
    }
    names
}

impl Packers<'_> {
    /// How a type is spelled.
    pub fn ty(&self, wire: &Wire) -> String {
        if let Some(primitive) = primitive(wire) {
            return primitive.into();
        }
        match wire {
            Wire::Int(_) | Wire::BigInteger => "BigInteger".into(),
            Wire::Known(known) => match known {
                Known::TimeSpan => "Duration",
                Known::DateTime => "Pack.DateTime",
                Known::DateTimeOffset => "OffsetDateTime",
                Known::DateOnly => "LocalDate",
                Known::TimeOnly => "LocalTime",
                Known::Guid => "UUID",
                Known::Decimal => "BigDecimal",
                Known::Complex => "Pack.Complex",
                _ => "Pack.Range",
            }
            .into(),
            Wire::Version => "Pack.Version".into(),
            Wire::BitArray | Wire::BitPack => "boolean[]".into(),
            Wire::Brotli(of) => self.ty(of),
            Wire::Named(id) => self.name(*id).to_owned(),
            Wire::List { of, kind } if kind.is_set() => format!("Set<{}>", self.boxed(of)),
            Wire::List { of, .. } | Wire::Fixed { of, .. } => {
                match primitive(of).filter(|_| array(of).is_some()) {
                    Some(primitive) => format!("{primitive}[]"),
                    None => format!("List<{}>", self.boxed(of)),
                }
            }
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
            _ => "String".into(),
        }
    }

    /// The same as an argument of a generic type, or where it may be null.
    pub fn boxed(&self, wire: &Wire) -> String {
        let ty = self.ty(wire);
        match ty.as_str() {
            "boolean" => "Boolean",
            "byte" => "Byte",
            "short" => "Short",
            "char" => "Character",
            "int" => "Integer",
            "long" => "Long",
            "float" => "Float",
            "double" => "Double",
            _ => return ty,
        }
        .into()
    }

    /// What stands where nothing was read, for types that [`Api::has_default`].
    pub fn default(&self, wire: &Wire) -> String {
        match self.ty(wire).as_str() {
            "boolean" => return "false".into(),
            "char" => return "'\\0'".into(),
            "byte" | "short" | "int" | "long" | "float" | "double" => return "0".into(),
            _ => {}
        }
        match wire {
            Wire::Optional(_) => "null".into(),
            Wire::Int(_) | Wire::BigInteger => "BigInteger.ZERO".into(),
            Wire::Known(known) => match known {
                Known::TimeSpan => "Duration.ZERO",
                Known::DateTime => "new Pack.DateTime(0)",
                Known::DateTimeOffset => "OffsetDateTime.of(1, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC)",
                Known::DateOnly => "LocalDate.of(1, 1, 1)",
                Known::TimeOnly => "LocalTime.MIDNIGHT",
                Known::Guid => "new UUID(0, 0)",
                Known::Decimal => "BigDecimal.ZERO",
                Known::Complex => "new Pack.Complex(0, 0)",
                _ => "new Pack.Range(0, 0)",
            }
            .into(),
            Wire::Version => "new Pack.Version(0, 0, -1, -1)".into(),
            Wire::BitArray | Wire::BitPack => "new boolean[0]".into(),
            Wire::Named(id) => match &self.api.packed(*id).body {
                PackedBody::Enum { of, default } => {
                    let variant = &of.variants[default_variant(of, *default)];
                    format!("{}.{}", self.name(*id), constant_name(&variant.name))
                }
                _ => format!("{}.defaults()", self.name(*id)),
            },
            Wire::List { kind, .. } if kind.is_set() => "new LinkedHashSet<>()".into(),
            Wire::List { of, .. } => match primitive(of).filter(|_| array(of).is_some()) {
                Some(primitive) => format!("new {primitive}[0]"),
                None => "PackReader.list(0)".into(),
            },
            Wire::Fixed { of, len } => match primitive(of).filter(|_| array(of).is_some()) {
                Some(primitive) => format!("new {primitive}[{len}]"),
                None => {
                    // Each is one of its own.
                    format!("PackReader.<{}>made({len}, () -> {})", self.boxed(of), self.cast(of))
                }
            },
            Wire::Map { .. } => "new LinkedHashMap<>()".into(),
            Wire::Grid { of, rank } => {
                format!("new Pack.Grid<>(new int[{rank}], {})", self.default(&Wire::list(of)))
            }
            Wire::Tuple(items) | Wire::ClassTuple(items) => {
                let defaults: Vec<String> = items.iter().map(|item| self.cast(item)).collect();
                format!("new {}({})", self.ty(wire), defaults.join(", "))
            }
            Wire::Pair(key, value) => {
                format!("new AbstractMap.SimpleImmutableEntry<>({}, {})", self.cast(key), self.cast(value))
            }
            Wire::Group(key, value) => {
                let values = self.default(&Wire::list(value));
                format!("new AbstractMap.SimpleImmutableEntry<>({}, {values})", self.cast(key))
            }
            Wire::Lazy(of) => format!("() -> {}", self.cast(of)),
            _ => "\"\"".into(),
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
}

/// The primitive type that an integer is.
pub(super) fn primitive_of(int: Int) -> Option<&'static str> {
    Some(match int {
        Int::I8 | Int::U8 | Int::CChar => "byte",
        Int::I16 | Int::U16 => "short",
        Int::I32 | Int::U32 => "int",
        Int::I64 | Int::U64 | Int::Isize | Int::Usize | Int::Long | Int::ULong => "long",
        Int::I128 | Int::U128 => return None,
    })
}

/// The primitive type that a value is.
pub(super) fn primitive(wire: &Wire) -> Option<&'static str> {
    Some(match wire {
        Wire::Bool => "boolean",
        Wire::Int(int) => primitive_of(*int)?,
        Wire::Float(Float::F32) => "float",
        Wire::Float(Float::F64) => "double",
        Wire::Rune | Wire::Known(Known::Index) => "int",
        Wire::Char => "char",
        Wire::Known(Known::Half) => "short",
        _ => return None,
    })
}

/// The method that reads and writes many of them at once.
pub(super) fn array(wire: &Wire) -> Option<&'static str> {
    match wire {
        // Each is checked.
        Wire::Rune => None,
        _ => Some(match primitive(wire)? {
            "boolean" => "bools",
            "byte" => "i8s",
            "short" => "i16s",
            "char" => "units",
            "int" => "i32s",
            "long" => "i64s",
            "float" => "f32s",
            _ => "f64s",
        }),
    }
}

/// The method that reads and writes one integer.
pub(super) fn method(int: Int) -> &'static str {
    match primitive_of(int) {
        Some("byte") => "i8",
        Some("short") => "i16",
        Some("int") => "i32",
        Some(_) => "i64",
        None => "i128",
    }
}
