//! A model with one of each shape, as a front end and the probe would make it from `types.rs` and `library.rs`.

#[path = "../shapes/types.rs"]
pub mod types;

use crate::beside;
use std::mem::{align_of, offset_of, size_of};
use std::path::{Path, PathBuf};
use std::process::Command;
use types::Packed;
use types::*;
use upcall_bindgen::model::*;

/// The library's name.
pub const NAME: &str = "shapes";

/// Compiles the library into `folder` and returns its file.
pub fn library(folder: &Path) -> PathBuf {
    let source = beside("shapes/library.rs");
    let file = folder.join("libshapes.so");
    let mut rustc = Command::new("rustc");
    rustc.args(["--edition", "2024", "--crate-type", "cdylib", "-Copt-level=1", "-Awarnings", "-o"]);
    let status = rustc.arg(&file).arg(source).status().expect("rustc starts");
    assert!(status.success(), "the library compiles");
    file
}

fn int(int: Int) -> Ty {
    Ty::Int(int)
}

const F32: Ty = Ty::Float(Float::F32);
const F64: Ty = Ty::Float(Float::F64);
const I32: Ty = Ty::Int(Int::I32);
const U8: Ty = Ty::Int(Int::U8);
const USIZE: Ty = Ty::Int(Int::Usize);

fn array(of: Ty, len: u64) -> Ty {
    Ty::Array { of: Box::new(of), len }
}

fn params(params: &[(&str, Ty)]) -> Vec<Param> {
    let param = |(name, ty): &(&str, Ty)| Param {
        name: (*name).into(),
        ty: ty.clone(),
        context_of: None,
        release_of: None,
    };
    params.iter().map(param).collect()
}

fn signature(taken: &[(&str, Ty)], ret: Ty) -> Signature {
    Signature { params: params(taken), ret, ..Signature::default() }
}

fn callback(signature: Signature, nullable: bool) -> Ty {
    Ty::Function { signature: Box::new(signature), nullable }
}

fn field(name: &str, ty: Ty, offset: usize) -> Field {
    Field { name: name.into(), ty, offset: offset as u64, bits: None, docs: String::new(), public: true }
}

fn bits(name: &str, ty: Ty, offset: usize, shift: u32, width: u32, signed: bool) -> Field {
    let of = if signed { I32 } else { ty.clone() };
    Field { bits: Some(Bits { shift, width, signed, of }), ..field(name, ty, offset) }
}

/// A bitfield in a unit of four bytes that is no integer in the source.
fn bits_of(name: &str, of: Ty, offset: usize, shift: u32, width: u32, signed: bool) -> Field {
    let bits = Some(Bits { shift, width, signed, of });
    Field { bits, ..field(name, int(Int::U32), offset) }
}

/// The model, but for the sign of a bitfield, which accessors made from it do not know.
pub fn without_sign() -> Api {
    let mut api = api();
    let bitfields = api.types.iter_mut().find(|declared| declared.name == "Bitfields").unwrap();
    let Body::Struct(record) = &mut bitfields.body else { panic!("a struct") };
    record.fields[0].bits.as_mut().unwrap().signed = false;
    api
}

fn variant(name: &str, value: i128) -> Variant {
    Variant { name: name.into(), value, docs: String::new() }
}

/// Collects the types.
struct Types(Vec<Declared>);

impl Types {
    fn add(&mut self, name: &str, layout: Option<(usize, usize)>, body: Body, idiom: Option<Idiom>) -> Ty {
        let layout = layout.map(|(size, align)| Layout { size: size as u64, align: align as u64 });
        self.0.push(Declared {
            name: name.into(),
            source: name.into(),
            docs: format!("What {name} is."),
            deprecated: None,
            place: Place::default(),
            layout,
            body,
            idiom,
        });
        Ty::Named(TypeId(self.0.len() as u32 - 1))
    }

    fn record<T>(&mut self, name: &str, fields: Vec<Field>) -> Ty {
        let body = Body::Struct(Record { fields, ..Record::default() });
        self.add(name, Some((size_of::<T>(), align_of::<T>())), body, None)
    }

    fn idiom<T>(&mut self, name: &str, fields: Vec<Field>, idiom: Idiom) -> Ty {
        let body = Body::Struct(Record { fields, ..Record::default() });
        self.add(name, Some((size_of::<T>(), align_of::<T>())), body, Some(idiom))
    }
}

fn slice_fields<T>(of: Ty, mutable: bool) -> Vec<Field> {
    vec![
        field("data", Ty::pointer(of, mutable), offset_of!(Slice<T>, data)),
        field("len", USIZE, offset_of!(Slice<T>, len)),
    ]
}

fn buffer_fields<T>(of: Ty) -> Vec<Field> {
    let data = Ty::pointer(of, true);
    let release = signature(&[("data", data.clone()), ("len", USIZE), ("capacity", USIZE)], Ty::Unit);
    vec![
        field("data", data, offset_of!(Buffer<T>, data)),
        field("len", USIZE, offset_of!(Buffer<T>, len)),
        field("capacity", USIZE, offset_of!(Buffer<T>, capacity)),
        field("release", callback(release, true), offset_of!(Buffer<T>, release)),
    ]
}

/// The model.
pub fn api() -> Api {
    let mut types = Types(Vec::new());
    let point_fields = vec![field("x", F32, offset_of!(Point, x)), field("y", F32, offset_of!(Point, y))];
    let point = types.record::<Point>("Point", point_fields);
    let packed = types.add(
        "Packed",
        Some((size_of::<Packed>(), align_of::<Packed>())),
        Body::Struct(Record {
            fields: vec![
                field("small", U8, offset_of!(Packed, small)),
                field("wide", int(Int::U64), offset_of!(Packed, wide)),
                field("last", int(Int::U16), offset_of!(Packed, last)),
            ],
            packed: Some(2),
            ..Record::default()
        }),
        None,
    );
    let aligned = types.add(
        "Aligned",
        Some((size_of::<Aligned>(), align_of::<Aligned>())),
        Body::Struct(Record {
            fields: vec![field("value", int(Int::U32), 0)],
            align: Some(16),
            ..Record::default()
        }),
        None,
    );
    let color = types.add(
        "Color",
        Some((2, 2)),
        Body::Enum(Enum {
            repr: Int::I16,
            variants: vec![variant("Red", -1), variant("Green", 8)],
            closed: true,
        }),
        None,
    );
    let mixed_id = TypeId(types.0.len() as u32);
    let mixed = types.record::<Mixed>(
        "Mixed",
        vec![
            field("flag", Ty::Bool, offset_of!(Mixed, flag)),
            field("letter", Ty::Char, offset_of!(Mixed, letter)),
            field("color", color.clone(), offset_of!(Mixed, color)),
            field("big", int(Int::I128), offset_of!(Mixed, big)),
            field("points", array(point.clone(), 2), offset_of!(Mixed, points)),
            field("grid", array(array(int(Int::U16), 3), 2), offset_of!(Mixed, grid)),
            field("next", Ty::pointer(Ty::Named(mixed_id), false), offset_of!(Mixed, next)),
            field("call", callback(signature(&[("arg0", I32)], I32), true), offset_of!(Mixed, call)),
            field("nested", aligned.clone(), offset_of!(Mixed, nested)),
            field("type", int(Int::I8), offset_of!(Mixed, r#type)),
        ],
    );
    let meters = types.add(
        "Meters",
        Some((8, 8)),
        Body::Struct(Record {
            fields: vec![field("0", F64, 0)],
            transparent: true,
            tuple: true,
            ..Record::default()
        }),
        None,
    );
    let number = types.add(
        "Number",
        Some((size_of::<Number>(), align_of::<Number>())),
        Body::Union(Record {
            fields: vec![
                field("whole", int(Int::U32), 0),
                field("real", F64, 0),
                field("bytes", array(U8, 12), 0),
            ],
            ..Record::default()
        }),
        None,
    );
    let access = types.add(
        "Access",
        Some((4, 4)),
        Body::Flags(Flags {
            repr: Int::U32,
            bits: vec![variant("READ", 1), variant("WRITE", 2)],
            combine: true,
        }),
        None,
    );
    let tagged_variant = |name: &str, value, fields, tuple| TaggedVariant {
        name: name.into(),
        value,
        fields,
        tuple,
        docs: String::new(),
    };
    let shape = types.add(
        "Shape",
        Some((size_of::<Shape>(), align_of::<Shape>())),
        Body::Tagged(Tagged {
            tag: Int::U8,
            shape: TaggedShape::TagThenUnion,
            variants: vec![
                tagged_variant("Empty", 0, vec![], false),
                tagged_variant("Circle", 1, vec![field("0", F64, 8)], true),
                tagged_variant(
                    "Rect",
                    2,
                    vec![field("corner", point.clone(), 8), field("width", int(Int::U16), 16)],
                    false,
                ),
            ],
        }),
        None,
    );
    let event = types.add(
        "Event",
        Some((size_of::<Event>(), align_of::<Event>())),
        Body::Tagged(Tagged {
            tag: Int::U8,
            shape: TaggedShape::UnionOfTagged,
            variants: vec![
                tagged_variant("None", 0, vec![], false),
                tagged_variant("Key", 1, vec![field("code", int(Int::U16), 2)], false),
                tagged_variant("Text", 2, vec![field("0", U8, 1), field("1", int(Int::U64), 8)], true),
            ],
        }),
        None,
    );
    let bitfields = types.record::<Bitfields>(
        "Bitfields",
        vec![
            bits("a", I32, 0, 0, 3, true),
            bits("b", int(Int::U32), 0, 3, 7, false),
            field("c", int(Int::I8), 2),
            bits("d", int(Int::U32), 4, 0, 20, false),
            bits_of("e", Ty::Bool, 4, 20, 1, false),
            bits_of("f", color.clone(), 4, 21, 5, true),
        ],
    );
    let nothing = types.add("Nothing", Some((0, 1)), Body::Opaque, None);
    let counter = types.add("Counter", None, Body::Opaque, None);
    let floats = types.idiom::<Slice<f32>>(
        "Slice_f32",
        slice_fields::<f32>(F32, false),
        Idiom::Slice { of: F32, mutable: false },
    );
    let floats_mut = types.idiom::<SliceMut<f32>>(
        "SliceMut_f32",
        slice_fields::<f32>(F32, true),
        Idiom::Slice { of: F32, mutable: true },
    );
    let points = types.idiom::<Slice<Point>>(
        "Slice_Point",
        slice_fields::<Point>(point.clone(), false),
        Idiom::Slice { of: point.clone(), mutable: false },
    );
    let str = types.idiom::<Str>("Str", slice_fields::<u8>(U8, false), Idiom::Str);
    let integers =
        types.idiom::<Buffer<i32>>("Buffer_i32", buffer_fields::<i32>(I32), Idiom::Buffer { of: I32 });
    let text = types.idiom::<Text>("Text", buffer_fields::<u8>(U8), Idiom::Text);
    types.idiom::<Failure>(
        "Failure",
        vec![
            field("message", text.clone(), offset_of!(Failure, message)),
            field("code", I32, offset_of!(Failure, code)),
        ],
        Idiom::Failure,
    );
    let mut notify_signature = signature(&[("value", I32), ("context", Ty::context())], Ty::Unit);
    notify_signature.context = Some(1);
    let notify =
        types.add("Notify", None, Body::Callback { signature: notify_signature, nullable: false }, None);
    let mut step = signature(&[("sum", I32), ("index", int(Int::U32)), ("context", Ty::context())], I32);
    step.context = Some(2);
    let transform = signature(&[("point", point.clone()), ("tag", Ty::pointer(U8, false))], point.clone());
    let number_ptr = |of: &Ty| Ty::pointer(of.clone(), true);

    let u32 = || int(Int::U32);
    let mut functions: Vec<Function> = [
        ("released", signature(&[], u32())),
        ("add", signature(&[("a", I32), ("b", I32)], I32)),
        (
            "widest",
            signature(
                &[
                    ("a", int(Int::U64)),
                    ("b", int(Int::I64)),
                    ("c", U8),
                    ("d", int(Int::Long)),
                    ("in", USIZE),
                ],
                int(Int::U64),
            ),
        ),
        ("negate", signature(&[("value", int(Int::I128))], int(Int::I128))),
        ("halve", signature(&[("value", F32)], F64)),
        ("not", signature(&[("value", Ty::Bool)], Ty::Bool)),
        ("next_letter", signature(&[("value", Ty::Char)], Ty::Char)),
        ("flip", signature(&[("color", color.clone())], color.clone())),
        ("widen", signature(&[("access", access.clone())], access.clone())),
        ("mirror_point", signature(&[("point", point.clone())], point.clone())),
        ("move_point", signature(&[("point", number_ptr(&point)), ("by", point.clone())], Ty::Unit)),
        ("swap_packed", signature(&[("packed", packed.clone())], packed.clone())),
        ("raise_aligned", signature(&[("aligned", aligned.clone())], aligned.clone())),
        ("echo_mixed", signature(&[("mixed", mixed.clone())], mixed.clone())),
        ("double_meters", signature(&[("meters", meters.clone())], meters.clone())),
        ("echo_number", signature(&[("number", number.clone())], number.clone())),
        ("grow", signature(&[("shape", shape.clone())], shape.clone())),
        ("echo_event", signature(&[("event", event.clone())], event.clone())),
        ("echo_bits", signature(&[("bits", bitfields.clone())], bitfields.clone())),
        ("sum", signature(&[("values", floats.clone())], F32)),
        ("scale", signature(&[("values", floats_mut.clone()), ("by", F32)], Ty::Unit)),
        ("total_x", signature(&[("points", points.clone())], F32)),
        ("primes", signature(&[], floats.clone())),
        ("count_letters", signature(&[("text", str.clone())], USIZE)),
        ("motto", signature(&[], str.clone())),
        ("squares", signature(&[("count", u32())], integers.clone())),
        ("spell", signature(&[("number", I32)], text.clone())),
        ("divide", signature(&[("a", I32), ("b", I32)], I32)),
        ("counter_new", signature(&[("start", int(Int::I64))], number_ptr(&counter))),
        (
            "counter_add",
            signature(&[("counter", number_ptr(&counter)), ("by", int(Int::I64))], int(Int::I64)),
        ),
        ("counter_release", signature(&[("counter", number_ptr(&counter))], Ty::Unit)),
        (
            "fold",
            signature(&[("count", u32()), ("step", callback(step, false)), ("context", Ty::context())], I32),
        ),
        ("apply", signature(&[("function", callback(transform, true)), ("point", point.clone())], point)),
        ("keep", signature(&[("notify", notify.clone()), ("context", Ty::context())], Ty::Unit)),
        ("notify_from_thread", signature(&[("value", I32)], Ty::Unit)),
        ("first_letter", signature(&[("text", Ty::pointer(int(Int::CChar), false))], U8)),
    ]
    .into_iter()
    .map(|(name, signature)| function(name, signature))
    .collect();
    let mut nothing = function("zero", signature(&[("nothing", nothing)], U8));
    nothing.docs = "Takes nothing at all.".into();
    functions.push(nothing);
    finish(&mut functions, &counter);
    Api {
        library: NAME.into(),
        types: types.0,
        functions,
        constants: constants(),
        statics: statics(),
        ..Api::default()
    }
}

fn function(name: &str, signature: Signature) -> Function {
    Function {
        name: name.into(),
        symbol: name.into(),
        signature,
        fallible: false,
        error: None,
        member: None,
        docs: String::new(),
        deprecated: None,
        place: Place::default(),
        linkage: Linkage::Library,
    }
}

/// What a signature does not have: contexts, members, docs, failure.
fn finish(functions: &mut [Function], counter: &Ty) {
    let Ty::Named(counter) = *counter else { unreachable!("an opaque type") };
    for function in functions {
        match function.name.as_str() {
            "add" => function.docs = "Adds two numbers.\n\nIt wraps around.".into(),
            "halve" => function.deprecated = Some("use a multiplication".into()),
            "divide" => function.fallible = true,
            "fold" => function.signature.params[2].context_of = Some(1),
            "keep" => function.signature.params[1].context_of = Some(0),
            _ => {}
        }
        let role = match function.name.as_str() {
            "counter_new" => Some((Role::Constructor, "new")),
            "counter_add" => Some((Role::Method, "add")),
            "counter_release" => Some((Role::Release, "release")),
            _ => None,
        };
        function.member = role.map(|(role, name)| Member { of: counter, role, name: name.into() });
        if let Some((Role::Constructor, _)) = role
            && let Ty::Pointer(pointer) = &mut function.signature.ret
        {
            pointer.owned = true;
        }
    }
}

fn constants() -> Vec<Constant> {
    let text = Ty::pointer(U8, false);
    [
        ("LIMIT", int(Int::U64), Value::Int(i128::from(u64::MAX))),
        ("HUGE", int(Int::U128), Value::Big(u128::MAX)),
        ("RATIO", F64, Value::Float(0.1)),
        ("FAR", F64, Value::Float(f64::NEG_INFINITY)),
        ("ON", Ty::Bool, Value::Bool(true)),
        ("LETTER", Ty::Char, Value::Char('ß')),
        ("GREETING", text.clone(), Value::Str("say \"hé\"\n".into())),
        ("RAW", text, Value::CStr(vec![b'a', 0xff, b'\\'])),
    ]
    .into_iter()
    .map(|(name, ty, value)| Constant {
        name: name.into(),
        path: Vec::new(),
        ty,
        value,
        docs: String::new(),
        place: Place::default(),
    })
    .collect()
}

fn statics() -> Vec<Static> {
    [("SCALE", F64, false), ("LEVEL", I32, true)]
        .into_iter()
        .map(|(name, ty, mutable)| Static {
            name: name.into(),
            symbol: name.into(),
            ty,
            mutable,
            docs: String::new(),
            place: Place::default(),
        })
        .collect()
}
