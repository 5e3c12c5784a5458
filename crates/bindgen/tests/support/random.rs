//! Random types with the layouts that `repr(C)` gives them.

use upcall_bindgen::model::*;

/// A small generator (xorshift) that makes the same types every time.
pub struct Dice(pub u64);

impl Dice {
    /// A number below `sides`.
    pub fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % sides
    }
}

/// `count` structs and unions that hold each other.
pub fn api(seed: u64, count: usize) -> Api {
    let mut dice = Dice(seed);
    let mut api = Api { library: "random".into(), ..Api::default() };
    for index in 0..count {
        let declared = one(&api, &mut dice, index);
        api.types.push(declared);
    }
    api
}

fn scalar(dice: &mut Dice) -> Ty {
    let ints =
        [Int::I8, Int::U8, Int::I16, Int::U16, Int::I32, Int::U32, Int::I64, Int::U64, Int::Usize, Int::Long];
    match dice.roll(18) {
        0..4 => Ty::Float(Float::F32),
        4..7 => Ty::Float(Float::F64),
        7 => Ty::Bool,
        8 => Ty::Char,
        9 => Ty::context(),
        10 if dice.roll(4) == 0 => Ty::Int(Int::I128),
        _ => Ty::Int(ints[dice.roll(ints.len() as u64) as usize]),
    }
}

fn any(api: &Api, dice: &mut Dice) -> Ty {
    let named = |dice: &mut Dice| Ty::Named(TypeId(dice.roll(api.types.len() as u64) as u32));
    let of = match dice.roll(4) {
        0 if !api.types.is_empty() => named(dice),
        _ => scalar(dice),
    };
    match dice.roll(4) {
        0 => Ty::Array { of: Box::new(of), len: 1 + dice.roll(4) },
        _ => of,
    }
}

fn one(api: &Api, dice: &mut Dice, index: usize) -> Declared {
    let union = dice.roll(6) == 0;
    let packed = (!union && dice.roll(5) == 0).then(|| 1 << dice.roll(3));
    let align = (packed.is_none() && dice.roll(6) == 0).then(|| 1 << dice.roll(6));
    let (mut size, mut most) = (0_u64, 1_u64);
    let mut fields = Vec::new();
    for number in 0..1 + dice.roll(5) {
        let mut ty = any(api, dice);
        if packed.is_some() && holds_aligned(api, &ty)
            || api.layout(&ty).is_some_and(|layout| layout.size > 300)
        {
            ty = Ty::Int(Int::U8);
        }
        let layout = api.layout(&ty).unwrap();
        let own = layout.align.min(packed.unwrap_or(u64::MAX));
        most = most.max(own);
        let offset = if union { 0 } else { size.next_multiple_of(own) };
        size = size.max(offset + layout.size);
        fields.push(Field {
            name: format!("f{number}"),
            ty,
            offset,
            bits: None,
            docs: String::new(),
            public: true,
        });
    }
    let align_of = most.max(align.unwrap_or(1));
    let record = Record { fields, packed, align, ..Record::default() };
    Declared {
        name: format!("T{index}"),
        source: format!("T{index}"),
        docs: String::new(),
        deprecated: None,
        place: Place::default(),
        layout: Some(Layout { size: size.next_multiple_of(align_of), align: align_of }),
        body: if union { Body::Union(record) } else { Body::Struct(record) },
        idiom: None,
    }
}

/// Rust has no packed type that holds one with `repr(align)`.
fn holds_aligned(api: &Api, ty: &Ty) -> bool {
    match ty {
        Ty::Array { of, .. } => holds_aligned(api, of),
        Ty::Named(id) => match &api.get(*id).body {
            Body::Struct(record) | Body::Union(record) => {
                record.align.is_some() || record.fields.iter().any(|field| holds_aligned(api, &field.ty))
            }
            _ => false,
        },
        _ => false,
    }
}
