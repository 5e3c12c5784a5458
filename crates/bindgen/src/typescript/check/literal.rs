//! The values that accessors should return, as literals.

use super::super::names::quoted;
use super::Program;
use crate::check::{extended, unsigned};
use crate::model::{Float, Int, Ty};
use crate::plan::{Kind, Number};

/// The largest integer up to which a number holds all integers exactly.
const SAFE: u128 = (1 << 53) - 1;

impl Program<'_> {
    /// For a scalar at the start of the bytes.
    pub(super) fn literal(&self, ty: &Ty, bytes: &[u8]) -> String {
        let of = |size| unsigned(self.api, bytes, size);
        match Kind::plain(self.api, ty) {
            Kind::Bool => (of(1) != 0).to_string(),
            Kind::Char => quoted(&char::from_u32(of(4) as u32).unwrap_or_default().to_string()),
            Kind::Float(Float::F32) => format!("{:?}", f64::from(f32::from_bits(of(4) as u32))),
            Kind::Float(Float::F64) => format!("{:?}", f64::from_bits(of(8) as u64)),
            Kind::Int(number) if !number.is_word() => {
                let Number { bytes: size, signed, .. } = number;
                let value = of(size);
                let magnitude = if signed { extended(value, size * 8).unsigned_abs() } else { value };
                let long = size == 16 || size == 8 && !(self.options.numbers && magnitude <= SAFE);
                shown(value, size * 8, signed) + if long { "n" } else { "" }
            }
            kind => {
                let (value, signed) = (of(8), matches!(kind, Kind::Int(Number { signed: true, .. })));
                let magnitude = if signed { extended(value, 64).unsigned_abs() } else { value };
                if magnitude > SAFE { "TOO_LARGE".into() } else { shown(value, 64, signed) }
            }
        }
    }

    /// An integer at the start of the bytes.
    pub(super) fn int(&self, int: Int, bytes: &[u8]) -> i128 {
        let size = self.api.int_size(int);
        let value = unsigned(self.api, bytes, size);
        if self.api.is_signed(int) { extended(value, size * 8) } else { value as i128 }
    }
}

fn shown(value: u128, bits: u64, signed: bool) -> String {
    if signed { extended(value, bits).to_string() } else { value.to_string() }
}
