use super::failure::Failure;
use crate::model::{Api, Place};
use std::path::PathBuf;

/// What a Rust front end knows about its source besides the [`Api`]: where the probe's code
/// goes, and how each type and constant is spelled there.
///
/// The probe's code becomes a child module at each [`Spot`] and begins with `use super::*;`, so it sees
/// what the module sees, private fields and imports included. Texts read as they would in the module itself,
/// including `self::` and `super::`.
///
/// The front end leaves offsets and values at 0 and layouts at `None`. Other facts that only the compiler knows:
///
/// - An array length that is an expression: [`Plan::length`] gives a placeholder for `Ty::Array`
///   until the probe has run.
/// - The kind of a [`crate::model::Constant`]'s value: it is taken from the placeholder (`Value::Str("")`
///   for `&str`, `Value::CStr` for `&CStr`, `Value::Int(0)` for integers, `NonZero*` and enums).
/// - `Enum::repr` and `Tagged::tag` of `#[repr(C)]`: the front end says `I32`, the probe corrects it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// What to compile.
    pub source: Source,
    /// Where probe code can go.
    pub spots: Vec<Spot>,
    /// One for each of [`Api::types`]. `None` if it has no layout: an alias, a callback,
    /// an opaque type.
    pub types: Vec<Option<Subject>>,
    /// One for each of [`Api::constants`].
    pub constants: Vec<Subject>,
    /// Array lengths that are not plain numbers, each of type `usize`; see [`Plan::length`].
    pub lengths: Vec<Subject>,
    /// Expressions whose values [`super::values`] returns, and where they are written. They are not part of
    /// the model.
    pub values: Vec<(Value, Place)>,
    /// What the front end has decided of `cfg` predicates. The compiler decides again, and is right.
    pub cfgs: Vec<(String, bool)>,
}

/// An expression of an integer type, of `bool` or of `char`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Value {
    /// Where it counts.
    pub spot: Spot,
    /// The expression.
    pub text: String,
    /// The name of its type, which is one of Rust's own.
    pub ty: String,
}

/// What is compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The crate's root file (`src/lib.rs`).
    pub root: PathBuf,
    /// The package's `Cargo.toml`. `None` for a file without a package, which `rustc` compiles by itself.
    pub manifest: Option<PathBuf>,
    /// For a file without a package: its edition (`2021`). `None`: the newest of [`Source::editions`] in which it
    /// compiles.
    pub edition: Option<String>,
    /// Features to enable.
    pub features: Vec<String>,
    /// Whether the package's default features are enabled.
    pub default_features: bool,
    /// `--cfg` flags besides those of the target and the features.
    pub cfgs: Vec<String>,
    /// Whether it says where a file is (`file!()`), so that the copy has to say where the original is.
    pub says_file: bool,
    /// Whether it says where the package is (`env!("CARGO_MANIFEST_DIR")`).
    pub says_package: bool,
}

impl Source {
    /// The editions to try for a file without a package.
    #[must_use]
    pub fn editions(&self) -> Vec<&str> {
        match &self.edition {
            Some(edition) => vec![edition],
            // Much that is read has been written for csbindgen or bindgen, before 2024 wanted `unsafe extern`.
            None => vec!["2024", "2021"],
        }
    }
}

/// A place for probe code: a module of the source.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Spot {
    /// The file in which the module is written.
    pub file: PathBuf,
    /// For an inline module (`mod name { .. }`): the byte offset of its closing brace. `None`: the end of the file.
    pub brace: Option<usize>,
}

/// Something to measure, as it is spelled at a spot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// An index into [`Plan::spots`]: the module that defines it; for an instance of a generic type and
    /// for a dependency's type, the module that names it.
    pub spot: usize,
    /// A type (`Point`, `Slice<shapes::Vec3>`, `View<'static>`) or an expression (`LIMIT`, `Point::COUNT`).
    pub text: String,
    /// For an instance of one of the crate's own generic types with private fields.
    pub generic: Option<Generic>,
}

/// A generic type where it is defined. Its private fields are measured there, by an inherent constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generic {
    /// An index into [`Plan::spots`]: the module that defines it.
    pub spot: usize,
    /// The head of an inherent implementation: `impl<T: Copy> Wrapper<T> where T: Send`.
    pub head: String,
}

/// Lengths from here on are placeholders.
const PENDING: u64 = 1 << 63;

impl Plan {
    /// A plan without anything to measure yet.
    #[must_use]
    pub fn new(source: Source) -> Plan {
        Plan {
            source,
            spots: Vec::new(),
            types: Vec::new(),
            constants: Vec::new(),
            lengths: Vec::new(),
            values: Vec::new(),
            cfgs: Vec::new(),
        }
    }

    /// The index of a spot, which is added if it is missing.
    pub fn spot(&mut self, spot: Spot) -> usize {
        self.spots.iter().position(|known| *known == spot).unwrap_or_else(|| {
            self.spots.push(spot);
            self.spots.len() - 1
        })
    }

    /// A plan that asks about the predicates alone.
    pub(super) fn of_predicates(&self) -> Plan {
        Plan { cfgs: self.cfgs.clone(), ..Plan::new(self.source.clone()) }
    }

    /// Asks for an array length of type `usize` and returns its placeholder for `Ty::Array`.
    pub fn length(&mut self, subject: Subject) -> u64 {
        let index = self.lengths.iter().position(|known| *known == subject).unwrap_or_else(|| {
            self.lengths.push(subject);
            self.lengths.len() - 1
        });
        PENDING + index as u64
    }

    /// The index into [`Plan::lengths`] that a placeholder stands for.
    pub(crate) fn pending(length: u64) -> Option<usize> {
        length.checked_sub(PENDING).and_then(|index| usize::try_from(index).ok())
    }

    /// Whether every index is valid.
    pub(super) fn check(&self, api: &Api) -> Result<(), Failure> {
        let types = self.types.iter().flatten();
        let subjects = || types.clone().chain(&self.constants).chain(&self.lengths);
        let spots = subjects().map(|subject| subject.spot);
        let generics = subjects().filter_map(|subject| subject.generic.as_ref()).map(|generic| generic.spot);
        let leads = spots.chain(generics).all(|spot| spot < self.spots.len());
        if leads && self.types.len() == api.types.len() && self.constants.len() == api.constants.len() {
            return Ok(());
        }
        Err(Failure::new("the front end's plan does not belong to its model", "this is a bug in Upcall"))
    }
}
