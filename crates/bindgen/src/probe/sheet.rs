//! The table as Rust text, one file per spot.

use super::ask::{Ask, FieldAt, fields};
use super::deeper::deeper;
use super::plan::{Plan, Subject};
use super::table::{Asked, Cell};
use crate::glue;
use crate::model::{Api, Body, Float, Int, Tagged, Ty, Value, Variant};
use std::fmt::Write as _;

/// What every table needs. The names are chosen not to hide any of the user's.
const HEAD: &str = include_str!("head.in");

/// All tables of one API.
pub(super) struct Sheets {
    /// One for each spot of the plan, and the last for the crate's root.
    pub texts: Vec<String>,
    /// What each line of each text is about.
    pub lines: Vec<Vec<Option<Ask>>>,
    /// What is asked, and which table has the answer.
    pub asked: Asked,
}

/// The module that holds the probe's code at a spot.
pub(super) fn module(spot: usize) -> String {
    format!("__upcall_probe_{spot}")
}

/// Rows of one table. The compiler checks a table as one body, in time quadratic in its length: 5,000
/// structs in one took minutes.
const ROWS: usize = 64;

/// The table of a spot's row, and its row there.
fn place(spot: usize, row: usize) -> (String, usize) {
    (format!("{}_{}", module(spot), row / ROWS), row % ROWS)
}

#[derive(Clone, Default)]
struct Sheet {
    text: String,
    lines: Vec<Option<Ask>>,
    rows: Vec<(Ask, String)>,
}

impl Sheet {
    fn line(&mut self, ask: Option<Ask>, text: &str) {
        self.lines.extend(text.lines().map(|_| ask));
        let _ = writeln!(self.text, "{text}");
    }
}

impl Sheets {
    pub fn new(api: &Api, plan: &Plan) -> Sheets {
        let mut writer = Writer { sheets: vec![Sheet::default(); plan.spots.len() + 1], asked: Vec::new() };
        for sheet in &mut writer.sheets {
            sheet.line(None, HEAD.trim_end());
        }
        let root = plan.spots.len();
        writer.row(root, Ask::Pointer, "__core::mem::size_of::<__core::primitive::usize>()".into());
        writer.row(root, Ask::Long, "__core::mem::size_of::<__core::ffi::c_long>()".into());
        writer.row(root, Ask::BigEndian, "__core::cfg!(target_endian = \"big\")".into());
        if api.functions.iter().any(|function| function.fallible) {
            writer.asked.push((Ask::Fingerprints, Cell::Fingerprints));
        }
        for (index, (predicate, _)) in plan.cfgs.iter().enumerate() {
            writer.row(root, Ask::Cfg(index), format!("__core::cfg!({predicate})"));
        }
        for (index, subject) in plan.lengths.iter().enumerate() {
            writer.row(subject.spot, Ask::Length(index), typed("usize", &subject.text));
        }
        for (index, (value, _)) in plan.values.iter().enumerate() {
            if let Some(spot) = plan.spots.iter().position(|spot| *spot == value.spot) {
                writer.row(spot, Ask::Value(index), typed(&value.ty, &value.text));
            }
        }
        for (ty, subject) in plan.types.iter().enumerate() {
            if let Some(subject) = subject {
                writer.ty(api, ty, subject);
            }
        }
        for (index, subject) in plan.constants.iter().enumerate() {
            writer.constant(api, index, subject);
        }
        writer.finish()
    }
}

struct Writer {
    sheets: Vec<Sheet>,
    asked: Asked,
}

impl Writer {
    fn row(&mut self, spot: usize, ask: Ask, expression: String) {
        let rows = &mut self.sheets[spot].rows;
        let (table, row) = place(spot, rows.len());
        self.asked.push((ask, Cell::Number { table, row }));
        rows.push((ask, expression));
    }

    fn ty(&mut self, api: &Api, ty: usize, subject: &Subject) {
        let Some(declared) = api.types.get(ty) else { return };
        let (spot, name) = (subject.spot, format!("__Type{ty}"));
        self.sheets[spot].line(Some(Ask::Size(ty)), &format!("type {name} = {};", deeper(&subject.text)));
        self.row(spot, Ask::Size(ty), format!("__core::mem::size_of::<{name}>()"));
        self.row(spot, Ask::Align(ty), format!("__core::mem::align_of::<{name}>()"));
        match &declared.body {
            Body::Struct(_) | Body::Union(_) => {
                for (index, at) in fields(ty, &declared.body).into_iter().enumerate() {
                    let Some(field) = at.get(api) else { continue };
                    let field = escaped(&field.name);
                    let (offset, size) = match &subject.generic {
                        Some(_) => (
                            format!("<{name}>::__UPCALL_OFFSETS_{ty}[{index}]"),
                            format!("<{name}>::__UPCALL_SIZES_{ty}[{index}]"),
                        ),
                        None => (offset(&name, &field), size(&name, &field)),
                    };
                    self.row(spot, Ask::Offset(at), offset);
                    self.row(spot, Ask::FieldSize(at), size);
                }
                if let Some(generic) = &subject.generic {
                    self.generic(api, generic.spot, &generic.head, ty);
                }
            }
            Body::Enum(body) => self.variants(spot, ty, &body.variants, |own| {
                format!("{name}::{own} as __core::primitive::i128")
            }),
            Body::Flags(flags) => {
                let signed = signed(api, flags.repr);
                self.variants(spot, ty, &flags.bits, |own| format!("__integer({name}::{own}, {signed})"));
            }
            Body::Tagged(tagged) => self.tagged(spot, ty, tagged),
            Body::Opaque | Body::Alias(_) | Body::Callback { .. } => {}
        }
    }

    fn variants(&mut self, spot: usize, ty: usize, all: &[Variant], value: impl Fn(&str) -> String) {
        for (variant, named) in all.iter().enumerate() {
            self.row(spot, Ask::Variant { ty, variant }, value(&escaped(&named.name)));
        }
    }

    /// Private fields of a generic type, measured where it is defined, for any parameters.
    fn generic(&mut self, api: &Api, spot: usize, head: &str, ty: usize) {
        let at = fields(ty, &api.types[ty].body);
        let head = deeper(head);
        let names: Vec<String> =
            at.iter().filter_map(|at| at.get(api)).map(|field| escaped(&field.name)).collect();
        let list = |measure: fn(&str, &str) -> String| -> String {
            names
                .iter()
                .map(|field| format!("{} as __core::primitive::i128, ", measure("Self", field)))
                .collect()
        };
        let number = "__core::primitive::i128";
        let count = names.len();
        let text = format!(
            "{head} {{ pub(crate) const __UPCALL_OFFSETS_{ty}: [{number}; {count}] = [{}]; \
             pub(crate) const __UPCALL_SIZES_{ty}: [{number}; {count}] = [{}]; }}",
            list(offset),
            list(size)
        );
        self.sheets[spot].line(Some(Ask::Size(ty)), &text);
    }

    /// The tag and the offsets of a variant are read from a value of it, made during compilation.
    fn tagged(&mut self, spot: usize, ty: usize, tagged: &Tagged) {
        let tag = primitive(tagged.tag);
        for (variant, named) in tagged.variants.iter().enumerate() {
            let ask = Ask::Variant { ty, variant };
            let fields: Vec<String> = named.fields.iter().map(|field| escaped(&field.name)).collect();
            let each = |text: &dyn Fn(usize, &str) -> String| -> String {
                fields.iter().enumerate().map(|(index, field)| text(index, field)).collect()
            };
            let path = format!("__Type{ty}::{}", escaped(&named.name));
            let made = each(&|_, field| format!("{field}: __any(), "));
            let taken = each(&|index, field| format!("{field}: __field{index}, "));
            let measured =
                each(&|index, _| format!(", __offset(__base, __field{index}), __size(__field{index})"));
            let text = format!(
                "const __VARIANT_{ty}_{variant}: [__core::primitive::i128; {count}] = {{ \
                 let __value = {path} {{ {made}}}; \
                 let __base = &raw const __value as *const __core::primitive::u8; \
                 let __tag = unsafe {{ *(__base as *const {tag}) }} as __core::primitive::i128; \
                 let __row = match &__value {{ {path} {{ {taken}}} => [__tag{measured}], _ => __core::panic!() }}; \
                 __core::mem::forget(__value); __row }};",
                count = 1 + 2 * fields.len(),
            );
            self.sheets[spot].line(Some(ask), &text);
            self.row(spot, ask, format!("__VARIANT_{ty}_{variant}[0]"));
            for field in 0..fields.len() {
                let at = FieldAt { ty, list: variant, field };
                self.row(spot, Ask::Offset(at), format!("__VARIANT_{ty}_{variant}[{}]", 1 + 2 * field));
                self.row(spot, Ask::FieldSize(at), format!("__VARIANT_{ty}_{variant}[{}]", 2 + 2 * field));
            }
        }
    }

    fn constant(&mut self, api: &Api, index: usize, subject: &Subject) {
        let Some(constant) = api.constants.get(index) else { return };
        let (spot, ask, text) = (subject.spot, Ask::Constant(index), deeper(&subject.text));
        let bytes =
            |ty: &str, method: &str| format!("{{ const __TEXT: &__core::{ty} = {text}; __TEXT.{method}() }}");
        match &constant.value {
            Value::Int(_) | Value::Big(_) => {
                let signed = api.integer(&constant.ty).map_or("false", |int| signed(api, int));
                self.row(spot, ask, format!("__integer({text}, {signed})"));
            }
            Value::Float(_) => {
                let ty = match api.resolve(&constant.ty) {
                    Ty::Float(Float::F32) => "f32",
                    _ => "f64",
                };
                self.row(spot, ask, format!("__core::primitive::{ty}::to_bits({text})"));
            }
            Value::Bool(_) => self.row(spot, ask, format!("({text}) as __core::primitive::bool")),
            Value::Char(_) => self.row(spot, ask, format!("({text}) as __core::primitive::u32")),
            Value::Str(_) => self.bytes(spot, ask, &bytes("primitive::str", "as_bytes")),
            Value::CStr(_) => self.bytes(spot, ask, &bytes("ffi::CStr", "to_bytes")),
        }
    }

    fn bytes(&mut self, spot: usize, ask: Ask, expression: &str) {
        let index = self.asked.len();
        let symbol = format!("__upcall_bytes_{index}");
        let text = format!(
            "const __BYTES_{index}: &[__core::primitive::u8] = {expression}; \
             #[used] #[unsafe(export_name = \"{symbol}\")] static __COPY_{index}: \
             [__core::primitive::u8; __BYTES_{index}.len() + 1] = __copied(__BYTES_{index});"
        );
        self.sheets[spot].line(Some(ask), &text);
        let rows = &mut self.sheets[spot].rows;
        let (table, row) = place(spot, rows.len());
        self.asked.push((ask, Cell::Bytes { symbol, table, row }));
        rows.push((ask, format!("__BYTES_{index}.len()")));
    }

    fn finish(mut self) -> Sheets {
        for (spot, sheet) in self.sheets.iter_mut().enumerate() {
            let rows = std::mem::take(&mut sheet.rows);
            for (index, rows) in rows.chunks(ROWS).enumerate() {
                let (name, _) = place(spot, index * ROWS);
                let count = rows.len();
                sheet.line(None, &format!("#[used] #[unsafe(export_name = \"{name}\")]"));
                sheet.line(None, &format!("static __TABLE_{index}: [__core::primitive::i128; {count}] = ["));
                for (ask, expression) in rows {
                    sheet.line(Some(*ask), &format!("{expression} as __core::primitive::i128,"));
                }
                sheet.line(None, "];");
            }
        }
        let (texts, lines) = self.sheets.into_iter().map(|sheet| (sheet.text, sheet.lines)).unzip();
        Sheets { texts, lines, asked: self.asked }
    }
}

/// An expression that must have one of Rust's own types.
fn typed(ty: &str, text: &str) -> String {
    format!("{{ const __VALUE: __core::primitive::{ty} = {}; __VALUE }}", deeper(text))
}

fn offset(ty: &str, field: &str) -> String {
    format!("__core::mem::offset_of!({ty}, {field})")
}

fn size(ty: &str, field: &str) -> String {
    format!(
        "__pointee({{ let __space = __core::mem::MaybeUninit::<{ty}>::uninit(); \
         unsafe {{ &raw const (*__space.as_ptr()).{field} }} }})"
    )
}

/// Whether a number of this type may be negative, as Rust text.
fn signed(api: &Api, int: Int) -> &'static str {
    match int {
        Int::CChar => "__core::ffi::c_char::MIN != 0",
        _ if api.is_signed(int) => "true",
        _ => "false",
    }
}

fn primitive(int: Int) -> String {
    let name = int.rust_name();
    let module = if name.starts_with("c_") { "ffi" } else { "primitive" };
    format!("__core::{module}::{name}")
}

/// A name as Rust reads it: a tuple field is its index, a keyword is raw.
fn escaped(name: &str) -> String {
    if name.starts_with(|first: char| first.is_ascii_digit()) { name.to_owned() } else { glue::ident(name) }
}
