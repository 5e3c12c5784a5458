//! A handmade front end.

use std::fs;
use std::path::{Path, PathBuf};
use upcall_bindgen::Diagnostics;
use upcall_bindgen::model::{
    Api, Body, Constant, Declared, Field, Int, Place, Record, Tagged, TaggedShape, TaggedVariant, Ty, TypeId,
    Value, Variant,
};
use upcall_bindgen::probe::{Options, Plan, Source, Spot, Subject, measure};

/// A model and its plan, filled by hand the way a front end does.
pub struct Front {
    pub api: Api,
    pub plan: Plan,
}

impl Front {
    pub fn new(root: &Path, manifest: Option<PathBuf>) -> Front {
        let source = Source {
            root: root.to_owned(),
            manifest,
            edition: None,
            features: Vec::new(),
            default_features: true,
            cfgs: Vec::new(),
            says_file: false,
            says_package: false,
        };
        Front { api: Api::default(), plan: Plan::new(source) }
    }

    /// A spot at the end of a file, or before the brace that `marker` begins with.
    pub fn spot(&mut self, file: &Path, marker: Option<&str>) -> usize {
        let brace = marker.map(|marker| fs::read_to_string(file).unwrap().find(marker).expect("the marker"));
        self.plan.spot(Spot { file: file.to_owned(), brace })
    }

    pub fn ty(&mut self, spot: usize, text: &str, body: Body) -> TypeId {
        let name = text.replace(|letter: char| !letter.is_alphanumeric(), "_");
        let place = Place { file: "src/lib.rs".into(), line: 7, column: 1 };
        self.api.types.push(Declared {
            name,
            source: text.into(),
            docs: String::new(),
            deprecated: None,
            place,
            layout: None,
            body,
            idiom: None,
        });
        self.plan.types.push(Some(Subject { spot, text: text.into(), generic: None }));
        TypeId(self.api.types.len() as u32 - 1)
    }

    pub fn constant(&mut self, spot: usize, text: &str, ty: Ty, value: Value) {
        let place = Place::default();
        let (name, path, docs) = (text.into(), Vec::new(), String::new());
        self.api.constants.push(Constant { name, path, ty, value, docs, place });
        self.plan.constants.push(Subject { spot, text: text.into(), generic: None });
    }

    pub fn measure(&mut self, options: &Options) -> Vec<String> {
        let mut diagnostics = Diagnostics::default();
        let fine = measure(&mut self.api, &self.plan, options, &mut diagnostics);
        assert_eq!(fine.is_ok(), diagnostics.list.is_empty());
        diagnostics.list.iter().map(ToString::to_string).collect()
    }

    pub fn row(&self, id: TypeId) -> Vec<u64> {
        let declared = self.api.get(id);
        let layout = declared.layout.expect("a layout");
        let offsets = |fields: &[Field]| fields.iter().map(|field| field.offset).collect::<Vec<_>>();
        let offsets = match &declared.body {
            Body::Struct(record) | Body::Union(record) => offsets(&record.fields),
            Body::Tagged(tagged) => {
                tagged.variants.iter().flat_map(|variant| offsets(&variant.fields)).collect()
            }
            _ => Vec::new(),
        };
        [layout.size, layout.align].into_iter().chain(offsets).collect()
    }
}

pub fn field(name: &str, ty: Ty) -> Field {
    Field { name: name.into(), ty, offset: 0, bits: None, docs: String::new(), public: true }
}

pub fn record(fields: &[(&str, Ty)]) -> Record {
    Record { fields: fields.iter().map(|(name, ty)| field(name, ty.clone())).collect(), ..Record::default() }
}

pub fn variants(names: &[&str]) -> Vec<Variant> {
    names.iter().map(|name| Variant { name: (*name).into(), value: 0, docs: String::new() }).collect()
}

/// A variant's name, whether it is a tuple, and its fields.
pub type Named<'a> = (&'a str, bool, &'a [(&'a str, Ty)]);

pub fn tagged(tag: Int, shape: TaggedShape, list: &[Named]) -> Body {
    let variants = list.iter().map(|(name, tuple, fields)| TaggedVariant {
        name: (*name).into(),
        value: 0,
        fields: record(fields).fields,
        tuple: *tuple,
        docs: String::new(),
    });
    Body::Tagged(Tagged { tag, shape, variants: variants.collect() })
}

pub fn array(of: Ty, len: u64) -> Ty {
    Ty::Array { of: Box::new(of), len }
}

pub const U8: Ty = Ty::Int(Int::U8);
pub const U16: Ty = Ty::Int(Int::U16);
pub const U32: Ty = Ty::Int(Int::U32);
pub const U64: Ty = Ty::Int(Int::U64);

pub fn awkward() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/probe/awkward")
}

pub fn options(folder: &Path) -> Options {
    Options { folder: Some(folder.to_owned()), ..Options::default() }
}
