//! Bytes of a valid value of any type: no `bool` of 2, no enum without a name.

use crate::model::{Api, Bits, Body, Field, Float, Int, Ty};

/// The bytes of one value, and which of their bits count (padding does not).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// The value; padding is zero.
    pub bytes: Vec<u8>,
    /// A set bit counts.
    pub mask: Vec<u8>,
}

/// What so many bits are as a signed number.
pub(crate) fn extended(bits: u128, width: u64) -> i128 {
    let above = 128 - width.max(1);
    (bits << above) as i128 >> above
}

/// The number that these bits are, as the bitfield's type has it.
fn value_of_bits(bits: u128, of: &Bits) -> i128 {
    if of.signed { extended(bits, of.width.into()) } else { bits as i128 }
}

/// The number of `size` bytes at the start of these.
pub(crate) fn unsigned(api: &Api, bytes: &[u8], size: u64) -> u128 {
    let mut all = [0; 16];
    let own = &mut all[..size as usize];
    own.copy_from_slice(&bytes[..size as usize]);
    if api.target.big_endian {
        own.reverse();
    }
    u128::from_le_bytes(all)
}

/// The value of the bitfield `field` in a value with these bytes; `None` for other fields.
pub(crate) fn bit_value(api: &Api, field: &Field, bytes: &[u8]) -> Option<i128> {
    let (bits, Ty::Int(unit)) = (field.bits.as_ref().filter(|bits| bits.width > 0)?, &field.ty) else {
        return None;
    };
    let value = unsigned(api, &bytes[field.offset as usize..], api.int_size(*unit)) >> bits.shift
        & (u128::MAX >> (128 - bits.width));
    Some(value_of_bits(value, bits))
}

/// An integer of this many bytes.
pub(super) fn in_memory(api: &Api, number: u128, size: u64) -> Vec<u8> {
    let mut bytes = number.to_le_bytes()[..size as usize].to_vec();
    if api.target.big_endian {
        bytes.reverse();
    }
    bytes
}

impl Image {
    /// A value of `ty`, different for each `seed`. Empty for a type without a size.
    #[must_use]
    pub fn new(api: &Api, ty: &Ty, seed: u32) -> Image {
        let size = api.layout(ty).map_or(0, |layout| layout.size as usize);
        let mut image = Image { bytes: vec![0; size], mask: vec![0; size] };
        Filler { api, seed, next: 0, image: &mut image }.fill(ty, 0);
        image
    }
}

struct Filler<'a> {
    api: &'a Api,
    seed: u32,
    /// Counts scalars, so that neighbors differ.
    next: u32,
    image: &'a mut Image,
}

impl Filler<'_> {
    fn fill(&mut self, ty: &Ty, offset: u64) {
        let api = self.api;
        match api.resolve(ty) {
            Ty::Unit => {}
            Ty::Bool => {
                let value = (self.count() + self.seed) % 2;
                self.put(offset, &[value as u8]);
            }
            Ty::Char => {
                let value = u32::from(b'A') + (self.count() * 5 + self.seed) % 26;
                self.put_number(offset, 4, value.into());
            }
            Ty::Int(int) => {
                let value = self.scrambled();
                self.put_number(offset, api.int_size(*int), value);
            }
            Ty::Float(float) => {
                let value = f64::from(self.count()) * 1.5 + f64::from(self.seed) * 0.25 + 1.0;
                match float {
                    Float::F32 => self.put_number(offset, 4, (value as f32).to_bits().into()),
                    Float::F64 => self.put_number(offset, 8, value.to_bits().into()),
                }
            }
            Ty::Pointer(_) | Ty::Function { .. } => self.put_address(offset),
            Ty::Array { of, len } => {
                let stride = api.layout(of).map_or(0, |layout| layout.size);
                (0..*len).for_each(|index| self.fill(of, offset + index * stride));
            }
            Ty::Named(id) => match &api.get(*id).body {
                Body::Struct(record) => self.fill_fields(&record.fields, offset),
                Body::Union(record) => {
                    if let Some(largest) = api.largest(&record.fields) {
                        self.fill_fields(std::slice::from_ref(largest), offset);
                    }
                }
                Body::Enum(body) => self.fill_named(offset, body.repr, &body.variants),
                Body::Flags(body) => self.fill_named(offset, body.repr, &body.bits),
                Body::Tagged(tagged) => {
                    if tagged.variants.is_empty() {
                        return;
                    }
                    let variant = &tagged.variants[self.seed as usize % tagged.variants.len()];
                    self.put_number(offset, api.int_size(tagged.tag), variant.value as u128);
                    self.fill_fields(&variant.fields, offset);
                }
                Body::Callback { .. } => self.put_address(offset),
                Body::Opaque | Body::Alias(_) => {}
            },
        }
    }

    fn fill_fields(&mut self, fields: &[Field], offset: u64) {
        for field in fields {
            match (&field.bits, &field.ty) {
                (Some(bits), Ty::Int(int)) => self.fill_bits(offset + field.offset, *int, bits),
                _ => self.fill(&field.ty, offset + field.offset),
            }
        }
    }

    fn fill_bits(&mut self, offset: u64, unit: Int, bits: &Bits) {
        let size = self.api.int_size(unit);
        let low = u128::MAX >> (128 - bits.width.max(1));
        let value = self.value_of(bits, low) & low;
        for (bytes, number) in [(&mut self.image.bytes, value), (&mut self.image.mask, low)] {
            let own = in_memory(self.api, number << bits.shift, size);
            bytes[offset as usize..].iter_mut().zip(own).for_each(|(byte, own)| *byte |= own);
        }
    }

    /// A value that fits: negative in what is sent, if there are negative ones, and true.
    fn value_of(&mut self, bits: &Bits, low: u128) -> u128 {
        let sign = if bits.signed { low / 2 + 1 } else { 0 };
        let odd = self.seed % 2 == 1;
        let names = match self.api.resolve(&bits.of) {
            Ty::Bool => return odd.into(),
            Ty::Named(id) => match &self.api.get(*id).body {
                Body::Enum(body) => &body.variants[..],
                Body::Flags(body) => &body.bits,
                _ => &[],
            },
            _ => &[],
        };
        let fits = |value: i128| value_of_bits(value as u128 & low, bits) == value;
        let fitting: Vec<i128> = names.iter().map(|name| name.value).filter(|value| fits(*value)).collect();
        if !fitting.is_empty() {
            return fitting[(self.count() + self.seed) as usize % fitting.len()] as u128;
        }
        self.scrambled() & !sign | if odd { sign } else { 0 }
    }

    fn fill_named(&mut self, offset: u64, repr: Int, names: &[crate::model::Variant]) {
        let number = (self.count() + self.seed) as usize;
        let value = if names.is_empty() { 0 } else { names[number % names.len()].value };
        self.put_number(offset, self.api.int_size(repr), value as u128);
    }

    fn put_address(&mut self, offset: u64) {
        let address = 0x1_0000 + u128::from(self.count()) * 64 + u128::from(self.seed) * 0x10_0000;
        self.put_number(offset, self.api.target.pointer, address);
    }

    fn count(&mut self) -> u32 {
        self.next += 1;
        self.next
    }

    /// Sixteen bytes that differ from each other and from their neighbors'.
    fn scrambled(&mut self) -> u128 {
        let start = u64::from(self.count()) << 8 | u64::from(self.seed);
        let half = |number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number;
        u128::from(half(start)) | u128::from(half(start ^ 0x5555)) << 64
    }

    fn put_number(&mut self, offset: u64, size: u64, number: u128) {
        self.put(offset, &in_memory(self.api, number, size));
    }

    fn put(&mut self, offset: u64, bytes: &[u8]) {
        let range = offset as usize..offset as usize + bytes.len();
        self.image.bytes[range.clone()].copy_from_slice(bytes);
        self.image.mask[range].fill(0xff);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Declared, Enum, Layout, Record, TypeId, Variant};

    fn declared(name: &str, size: u64, align: u64, body: Body) -> Declared {
        Declared { name: name.into(), layout: Some(Layout { size, align }), body, ..Declared::default() }
    }

    fn field(name: &str, ty: Ty, offset: u64, bits: Option<Bits>) -> Field {
        Field { name: name.into(), ty, offset, bits, docs: String::new(), public: true }
    }

    #[test]
    fn padding_is_zero_and_does_not_count_and_neighboring_bitfields_share_their_unit() {
        let mut api = Api::default();
        let variants = [3, -4].map(|value| Variant { name: value.to_string(), value, docs: String::new() });
        api.types.push(declared(
            "Odd",
            1,
            1,
            Body::Enum(Enum { repr: Int::I8, variants: variants.to_vec(), closed: true }),
        ));
        let low = Bits { shift: 0, width: 3, signed: false, of: Ty::Int(Int::U16) };
        let high = Bits { shift: 3, width: 13, signed: true, of: Ty::Int(Int::I16) };
        let fields = vec![
            field("flag", Ty::Bool, 0, None),
            field("odd", Ty::Named(TypeId(0)), 1, None),
            field("low", Ty::Int(Int::U16), 2, Some(low)),
            field("high", Ty::Int(Int::U16), 2, Some(high)),
            field("far", Ty::Int(Int::U32), 8, None),
        ];
        api.types.push(declared("Mixed", 12, 4, Body::Struct(Record { fields, ..Record::default() })));
        let ty = Ty::Named(TypeId(1));
        let [one, two] = [1, 2].map(|seed| Image::new(&api, &ty, seed));
        assert_eq!(one.mask, [255, 255, 255, 255, 0, 0, 0, 0, 255, 255, 255, 255]);
        assert_eq!(one.bytes[4..8], [0; 4]);
        assert!(one.bytes[0] <= 1 && [3, 0xfc].contains(&one.bytes[1]), "{:?}", one.bytes);
        assert_eq!(one.mask, two.mask);
        assert_ne!(one.bytes, two.bytes);
    }
}
