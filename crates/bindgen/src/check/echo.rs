use super::Image;
use super::image::{bit_value, in_memory};
use crate::File;
use crate::glue::{self, ascii};
use crate::model::{Api, Body, Field, Float, Function, Idiom, Int, Layout, Param, Signature, Ty, TypeId};
use std::fmt::Write;

/// The function that returns the first wrong byte in the last call: an offset into the value,
/// -2 for the scalar before it, -3 for the one after it, or -1 for none. `() -> i32`.
pub const MISMATCH: &str = "upcall_echo_mismatch";

/// The `i32` before a value.
pub const BEFORE: i32 = 7;

/// The `f64` after a value.
pub const AFTER: f64 = 2.5;

/// A library with every type of an API, and what a check program needs to know about it.
#[derive(Clone, Debug)]
pub struct Echo {
    /// The API's types and the library's functions. Generate a back end's bindings from this.
    pub api: Api,
    /// One for each type that has a value.
    pub probes: Vec<Probe>,
    /// The library's crate.
    pub files: Vec<File>,
}

/// One type being checked.
#[derive(Clone, Debug)]
pub struct Probe {
    /// In [`Echo::api`], as in the checked API.
    pub ty: TypeId,
    /// Its name there.
    pub name: String,
    /// Its size and alignment.
    pub layout: Layout,
    /// Its fields' names and offsets; empty if it has no fields.
    pub fields: Vec<(String, u64)>,
    /// `(before: i32, value: T, after: f64) -> T`. `None` where a struct of the same bytes may travel in other
    /// registers than C's own; the C front end refuses that too.
    pub by_value: Option<String>,
    /// `(from: *const T, to: *mut T)`.
    pub by_pointer: String,
    /// What the library expects.
    pub sent: Vec<u8>,
    /// What it answers with.
    pub returned: Vec<u8>,
    /// Which bits of `sent` count. `returned_mask` has those of `returned`: another variant of a tagged
    /// enum has its data elsewhere.
    pub mask: Vec<u8>,
    /// Which bits of `returned` count.
    pub returned_mask: Vec<u8>,
}

impl Probe {
    /// The bitfields that a program can read and write, with their values in what is sent and in what comes back.
    pub(crate) fn bitfields<'a>(&'a self, api: &'a Api) -> impl Iterator<Item = (&'a Field, i128, i128)> {
        let fields: &[Field] = match &api.get(self.ty).body {
            Body::Struct(record) => &record.fields,
            _ => &[],
        };
        fields.iter().filter(|field| field.public).filter_map(|field| {
            let value = |bytes| bit_value(api, field, bytes);
            Some((field, value(&self.sent)?, value(&self.returned)?))
        })
    }

    /// [`Probe::sent`] without the bits of [`Probe::bitfields`], which the program writes by their names.
    pub(crate) fn without_bitfields(&self, api: &Api) -> Vec<u8> {
        let mut bytes = self.sent.clone();
        for (field, ..) in self.bitfields(api) {
            let (Some(bits), Ty::Int(unit)) = (&field.bits, &field.ty) else { continue };
            let mask = (u128::MAX >> (128 - bits.width)) << bits.shift;
            let mask = in_memory(api, mask, api.int_size(*unit));
            bytes[field.offset as usize..].iter_mut().zip(mask).for_each(|(byte, mask)| *byte &= !mask);
        }
        bytes
    }
}

impl Echo {
    /// The library for the types of `api`, called `upcall_echo`.
    #[must_use]
    pub fn new(api: &Api) -> Echo {
        let mut echo = Api {
            library: "upcall_echo".into(),
            target: api.target.clone(),
            types: api.types.clone(),
            ..Api::default()
        };
        for declared in &mut echo.types {
            // The program uses them all, and compilers would warn about deprecated ones.
            declared.deprecated = None;
            // Shown as plain structs: the values of the check are not valid slices.
            declared.idiom = None;
        }
        let probes: Vec<Probe> = api.declared().filter_map(|(id, _)| probe(api, id)).collect();
        for probe in &probes {
            echo.functions.extend(functions(probe));
        }
        echo.functions.push(function(MISMATCH, Vec::new(), Ty::Int(Int::I32)));
        let files = vec![
            File::new("Cargo.toml", glue::manifest(&echo.library, "")),
            File::new("src/lib.rs", library(&echo, &probes)),
            File::new("src/mirror.rs", glue::mirror(&echo)),
        ];
        Echo { api: echo, probes, files }
    }
}

fn probe(api: &Api, id: TypeId) -> Option<Probe> {
    let declared = api.get(id);
    let ty = Ty::Named(id);
    if !api.has_value(&ty) || matches!(declared.body, Body::Alias(_) | Body::Callback { .. }) {
        return None;
    }
    // Only ever seen behind a pointer, and released by its maker.
    if declared.idiom == Some(Idiom::Failure) {
        return None;
    }
    let fields: &[Field] = match &declared.body {
        Body::Struct(record) | Body::Union(record) => &record.fields,
        _ => &[],
    };
    let (sent, returned) = (Image::new(api, &ty, 1), Image::new(api, &ty, 2));
    Some(Probe {
        ty: id,
        name: declared.name.clone(),
        layout: declared.layout?,
        fields: fields.iter().map(|field| (field.name.clone(), field.offset)).collect(),
        by_value: (!travels_in_unknown_registers(api, &ty))
            .then(|| ascii(&format!("upcall_echo_value_{}", declared.name))),
        by_pointer: ascii(&format!("upcall_echo_pointer_{}", declared.name)),
        sent: sent.bytes,
        returned: returned.bytes,
        mask: sent.mask,
        returned_mask: returned.mask,
    })
}

/// Only C has attributes that make such structs.
fn travels_in_unknown_registers(api: &Api, ty: &Ty) -> bool {
    #[cfg(feature = "c")]
    let refused = crate::c::refuse(api, ty).is_some();
    #[cfg(not(feature = "c"))]
    let refused = false;
    refused
}

fn functions(probe: &Probe) -> Vec<Function> {
    let ty = Ty::Named(probe.ty);
    let value = || {
        vec![
            parameter("before", Ty::Int(Int::I32)),
            parameter("value", ty.clone()),
            parameter("after", Ty::Float(Float::F64)),
        ]
    };
    let pointers = vec![
        parameter("from", Ty::pointer(ty.clone(), false)),
        parameter("to", Ty::pointer(ty.clone(), true)),
    ];
    let by_pointer = function(&probe.by_pointer, pointers, Ty::Unit);
    let by_value = probe.by_value.as_ref().map(|name| function(name, value(), ty.clone()));
    by_value.into_iter().chain([by_pointer]).collect()
}

fn parameter(name: &str, ty: Ty) -> Param {
    Param { name: name.into(), ty, context_of: None, release_of: None }
}

fn function(name: &str, params: Vec<Param>, ret: Ty) -> Function {
    Function {
        name: name.into(),
        symbol: name.into(),
        signature: Signature { params, ret, ..Signature::default() },
        ..Function::default()
    }
}

fn library(api: &Api, probes: &[Probe]) -> String {
    let mut text = format!("{}{COMPARE}", glue::HEADER);
    for probe in probes {
        let ty = glue::rust_type(api, &Ty::Named(probe.ty));
        let Probe { name, by_value, by_pointer, sent, returned, mask, .. } = probe;
        let size = sent.len();
        write!(
            text,
            r#"
static SENT_{name}: [u8; {size}] = {sent:?};
static MASK_{name}: [u8; {size}] = {mask:?};
static RETURNED_{name}: [u8; {size}] = {returned:?};

#[unsafe(no_mangle)]
pub unsafe extern "C" fn {by_pointer}(from: *const {ty}, to: *mut {ty}) {{
    unsafe {{
        compare(from as *const u8, &SENT_{name}, &MASK_{name});
        std::ptr::copy_nonoverlapping(RETURNED_{name}.as_ptr(), to as *mut u8, {size});
    }}
}}
"#
        )
        .expect("a String takes all that is written");
        let Some(by_value) = by_value else { continue };
        write!(
            text,
            r#"
#[unsafe(no_mangle)]
pub unsafe extern "C" fn {by_value}(before: i32, value: {ty}, after: f64) -> {ty} {{
    unsafe {{
        compare(&raw const value as *const u8, &SENT_{name}, &MASK_{name});
        if before != {BEFORE} {{ MISMATCH.store(-2, SeqCst); }}
        if after != {AFTER:?} {{ MISMATCH.store(-3, SeqCst); }}
        (&raw const RETURNED_{name} as *const {ty}).read_unaligned()
    }}
}}
"#
        )
        .expect("a String takes all that is written");
    }
    text
}

const COMPARE: &str = r#"#![allow(improper_ctypes_definitions, non_camel_case_types, non_snake_case, non_upper_case_globals)]

mod mirror;

use std::sync::atomic::{AtomicI32, Ordering::SeqCst};

static MISMATCH: AtomicI32 = AtomicI32::new(-1);

#[unsafe(no_mangle)]
pub extern "C" fn upcall_echo_mismatch() -> i32 {
    MISMATCH.load(SeqCst)
}

unsafe fn compare(found: *const u8, sent: &[u8], mask: &[u8]) {
    let mut first = -1;
    for index in (0..sent.len()).rev() {
        let found = unsafe { found.add(index).read_volatile() };
        if (found ^ sent[index]) & mask[index] != 0 {
            first = index as i32;
        }
    }
    MISMATCH.store(first, SeqCst);
}
"#;
