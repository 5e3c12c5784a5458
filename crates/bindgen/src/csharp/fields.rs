use super::clr::Clr;
use super::cx::{Cx, sized};
use super::names;
use super::text::Text;
use crate::model::{Bits, Field, Int, Layout, Ty};

/// Up to this size the elements of an array are separate fields, because the CLR looks at the fields to
/// decide how a struct is passed by value. 64 bytes is the most that travels in registers anywhere.
const SPELLED_OUT: u64 = 64;

/// The fields of one struct as C# has them.
#[derive(Default)]
pub(super) struct Fields {
    /// In the order they are written in.
    pub slots: Vec<Slot>,
    /// Properties, for values that C# has no field type for.
    properties: Vec<(String, String)>,
    /// Types of arrays.
    nested: Vec<String>,
}

/// One C# field.
pub(super) struct Slot {
    pub offset: u64,
    pub clr: Clr,
    pub name: String,
    /// The length of a fixed-size buffer.
    pub fixed: Option<u64>,
    docs: String,
    /// Attributes, accessibility and type.
    before: String,
}

/// What has the fields.
pub(super) struct Owner<'a> {
    /// Its C# name.
    pub name: &'a str,
    /// Its alignment.
    pub align: u64,
    /// Stands before each name.
    pub prefix: String,
    /// Whether names are those of .NET.
    pub dotnet: bool,
    pub fields: &'a [Field],
}

impl Owner<'_> {
    /// A field's name, without the `@` of a keyword.
    pub fn plain(&self, field: &Field) -> String {
        let mut own = self.spelled(field);
        if self.fields.iter().filter(|other| self.spelled(other) == own).count() > 1 {
            own = names::field(&field.name);
        }
        let plain = format!("{}{}", self.prefix, own.trim_start_matches('@'));
        names::beside(plain, self.name.trim_start_matches('@'))
    }

    fn spelled(&self, field: &Field) -> String {
        if self.dotnet { names::member(&field.name) } else { names::field(&field.name) }
    }

    /// A name for what is beside the field of this name.
    fn beside(&self, plain: &str, what: &str) -> String {
        self.free(match self.dotnet {
            true => format!("{plain}{}", names::pascal(what)),
            false => format!("{plain}_{what}"),
        })
    }

    /// A name that no field has.
    fn free(&self, mut name: String) -> String {
        while self.fields.iter().any(|field| self.plain(field) == name) {
            name.push('_');
        }
        name
    }

    /// Whether a bitfield's unit shares bytes with other fields, or with bits of another unit.
    fn overlaps(&self, cx: &Cx, field: &Field, size: u64) -> bool {
        let (start, end) = (field.offset, field.offset + size);
        let same = |other: &Field| other.bits.is_some() && (other.offset, &other.ty) == (start, &field.ty);
        self.fields.iter().filter(|other| !same(other)).any(|other| {
            let size = cx.api.layout(&other.ty).map_or(0, |layout| layout.size);
            let (from, to) = cx.api.touched(other).unwrap_or((other.offset, other.offset + size));
            from < end && to > start
        })
    }
}

impl Fields {
    /// The fields of a type.
    pub fn of(cx: &Cx, owner: &Owner) -> Fields {
        let mut all = Fields::default();
        for field in owner.fields {
            all.add(cx, field, owner);
        }
        all
    }

    /// Appends the fields of another struct.
    pub fn extend(&mut self, other: Fields) {
        self.slots.extend(other.slots);
        self.properties.extend(other.properties);
        self.nested.extend(other.nested);
    }

    /// Adds a field of this type.
    pub fn push(&mut self, offset: u64, clr: Clr, before: &str, name: &str, docs: &str) {
        let (before, name, docs) = (before.to_owned(), name.to_owned(), docs.to_owned());
        self.slots.push(Slot { offset, clr, name, fixed: None, docs, before });
    }

    /// Offsets and layouts, for planning.
    pub fn places(&self) -> Vec<(u64, Clr)> {
        self.slots.iter().map(|slot| (slot.offset, slot.clr)).collect()
    }

    fn add(&mut self, cx: &Cx, field: &Field, owner: &Owner) {
        let plain = owner.plain(field);
        let name = names::escaped(&plain);
        let access = if field.public || cx.options.private_fields { "public" } else { "private" };
        let Some(clr) = cx.clr(&field.ty).filter(|clr| clr.size > 0) else {
            self.add_open_array(cx, field, access, &name, owner.name);
            return;
        };
        let mut push = |before: &str, name: &str, docs: &str| {
            self.push(field.offset, clr, before, name, docs);
        };
        match cx.api.resolve(&field.ty) {
            Ty::Int(unit) if let Some(bits) = &field.bits => {
                let unit = sized(cx.api.int_size(*unit), false);
                let storage = self.storage(cx, field, unit, owner);
                let property = bit_property(cx, access, &name, &storage, unit, bits);
                self.properties.push((field.docs.clone(), property));
            }
            Ty::Bool if !cx.options.marshal_bool => {
                let byte = owner.beside(&plain, "byte");
                push(&format!("{access} byte"), &byte, "");
                let property = format!(
                    "{access} bool {name} {{ readonly get => {byte} != 0; set => {byte} = value ? (byte)1 : (byte)0; }}"
                );
                self.properties.push((field.docs.clone(), property));
            }
            Ty::Bool => push(&format!("[MarshalAs(UnmanagedType.U1)] {access} bool"), &name, &field.docs),
            Ty::Array { .. } => {
                let (of, len) = cx.element(&field.ty);
                let Some(element) = fixed(of, cx) else {
                    let nested = owner.beside(&plain, "array");
                    push(&format!("{access} {nested}"), &name, &field.docs);
                    self.nested.push(array_type(cx, &nested, of, len, clr, access));
                    return;
                };
                push(&format!("{access} fixed {element}"), &name, &field.docs);
                if let Some(slot) = self.slots.last_mut() {
                    slot.fixed = Some(len);
                }
            }
            ty => push(&format!("{access} {}", cx.ty(ty)), &name, &field.docs),
        }
    }

    /// What a bitfield's unit is called. It is a field where it is aligned and shares no byte with other fields;
    /// elsewhere the fields are the bytes that bitfields touch, because the CLR would pass a struct with any other
    /// field in memory, and C passes it in registers.
    fn storage(&mut self, cx: &Cx, field: &Field, unit: &str, owner: &Owner) -> String {
        let access = if cx.options.private_fields { "public" } else { "private" };
        let prefix = &owner.prefix;
        let bytes = |offset: u64| owner.free(format!("{prefix}bits_{offset}"));
        let size = cx.api.layout(&field.ty).map_or(1, |layout| layout.size);
        let aligned = size <= owner.align && field.offset.is_multiple_of(size);
        if aligned && !owner.overlaps(cx, field, size) {
            let storage = bytes(field.offset);
            if self.slots.iter().all(|slot| slot.name != storage) {
                self.push(field.offset, Clr::scalar(size), &format!("{access} {unit}"), &storage, "");
            }
            return storage;
        }
        let (start, end) = cx.api.touched(field).unwrap_or_default();
        for at in start..end {
            if self.slots.iter().all(|slot| slot.name != bytes(at)) {
                self.push(at, Clr::scalar(1), &format!("{access} byte"), &bytes(at), "");
            }
        }
        let storage = owner.free(format!("{prefix}unit_{}_{size}", field.offset));
        let property = format!(
            "private readonly ref {unit} {storage} {{ get {{ fixed ({}* self = &this) return ref *({unit}*)((byte*)self + {}); }} }}",
            owner.name, field.offset
        );
        if self.properties.iter().all(|(_, known)| *known != property) {
            self.properties.push((String::new(), property));
        }
        storage
    }

    /// Bytes where the source has bits that are not shown: the CLR looks at the fields to decide how a struct is passed
    /// by value.
    pub fn fill(&mut self, cx: &Cx, whole: Layout) {
        self.slots.sort_by_key(|slot| slot.offset);
        let mut gaps = Vec::new();
        let mut end = 0u64;
        let places = self.places().into_iter().map(|(offset, clr)| (offset, clr.size, clr.align));
        for (offset, size, align) in places.chain([(whole.size, 0, whole.align)]) {
            if end.next_multiple_of(align.max(1)) < offset {
                gaps.extend(end..offset);
            }
            end = end.max(offset + size);
        }
        let access = if cx.options.private_fields { "public" } else { "private" };
        for at in gaps {
            self.push(at, Clr::scalar(1), &format!("{access} byte"), &format!("gap_{at}"), "");
        }
        self.slots.sort_by_key(|slot| slot.offset);
    }

    /// An array without a length has the address after the other fields.
    fn add_open_array(&mut self, cx: &Cx, field: &Field, access: &str, name: &str, owner: &str) {
        let Ty::Array { .. } = cx.api.resolve(&field.ty) else { return };
        let (of, _) = cx.element(&field.ty);
        if cx.clr(of).is_none_or(|clr| clr.size == 0) {
            return;
        }
        let (element, offset) = (cx.ty(of), field.offset);
        self.properties.push((
            format!("{}\n\nIts elements lie behind the struct, which must be in native memory.", field.docs.trim()),
            format!(
                "{access} {element}* {name} {{ get {{ fixed ({owner}* self = &this) return ({element}*)((byte*)self + {offset}); }} }}"
            ),
        ));
    }

    /// Writes the members of the struct.
    pub fn write(&self, explicit: bool, text: &mut Text) {
        for slot in &self.slots {
            text.docs(&slot.docs);
            let place = if explicit { format!("[FieldOffset({})] ", slot.offset) } else { String::new() };
            let len = slot.fixed.map_or(String::new(), |len| format!("[{len}]"));
            text.line(format!("{place}{} {}{len};", slot.before, slot.name));
        }
        for (docs, property) in &self.properties {
            text.blank();
            text.docs(docs);
            text.line(property);
        }
        for nested in &self.nested {
            text.blank();
            text.line(nested);
        }
    }
}

/// The element of a fixed-size buffer, if C# has such buffers for this type.
fn fixed(of: &Ty, cx: &Cx) -> Option<String> {
    match of {
        Ty::Bool | Ty::Char | Ty::Float(_) => Some(cx.blittable(of)),
        Ty::Int(int) if !matches!(int, Int::I128 | Int::U128 | Int::Isize | Int::Usize) => {
            let name = cx.int(*int);
            (!name.starts_with('C')).then(|| name.to_owned())
        }
        _ => None,
    }
}

/// The type of a bitfield's property.
pub(super) fn bit_type(cx: &Cx, bits: &Bits) -> String {
    match cx.api.resolve(&bits.of) {
        Ty::Bool => "bool".into(),
        Ty::Int(Int::CChar) if bits.signed => "sbyte".into(),
        Ty::Int(int) => cx.plain_int(*int).into(),
        of => cx.ty(of),
    }
}

fn bit_property(cx: &Cx, access: &str, name: &str, storage: &str, unit: &str, bits: &Bits) -> String {
    let Bits { shift, width, signed, .. } = *bits;
    let ty = bit_type(cx, bits);
    let mask = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
    let plain = format!("(((ulong){storage} >> {shift}) & {mask:#x}UL)");
    let get = match ty.as_str() {
        "bool" => format!("{plain} != 0"),
        _ if signed => {
            format!("({ty})((long)((ulong){storage} << {}) >> {})", 64 - shift - width, 64 - width)
        }
        _ => format!("({ty}){plain}"),
    };
    let value = if ty == "bool" { "(value ? 1UL : 0UL)" } else { "(ulong)value" };
    format!(
        "{access} {ty} {name}\n{{\n    readonly get => unchecked({get});\n    set => {storage} = unchecked(({unit})(((ulong){storage} & ~({mask:#x}UL << {shift})) | (({value} & {mask:#x}UL) << {shift})));\n}}"
    )
}

/// A struct of `len` values side by side, with an indexer.
fn array_type(cx: &Cx, name: &str, of: &Ty, len: u64, clr: Clr, access: &str) -> String {
    let element = cx.ty(of);
    let generic = !matches!(of, Ty::Pointer(_) | Ty::Function { .. }) && cx.api.callback(of).is_none();
    let mut text = Text::default();
    text.docs(&format!("{len} values side by side."));
    if cx.options.language >= 12 && generic && clr.certain {
        text.line(format!("[global::System.Runtime.CompilerServices.InlineArray({len})]"));
        text.open(format!("{access} struct {name}"));
        text.line(format!("private {element} first;"));
        text.close();
        return text.finish();
    }
    let spelled = clr.size <= SPELLED_OUT && len > 1;
    let pack = if clr.size.is_multiple_of(clr.align) { String::new() } else { ", Pack = 1".into() };
    text.line(format!("[StructLayout(LayoutKind.Sequential{pack}, Size = {})]", clr.size));
    text.open(format!("{access} unsafe struct {name}"));
    text.line(format!("private {element} first;"));
    for index in 1..if spelled { len } else { 1 } {
        text.line(format!("private {element} at{index};"));
    }
    text.line(format!(
        "
/// <summary>How many.</summary>
public const int Length = {len};

/// <summary>One of them.</summary>
public ref {element} this[int index]
{{
    get
    {{
        if ((uint)index >= Length) throw new IndexOutOfRangeException();
        fixed ({element}* elements = &first) return ref elements[index];
    }}
}}"
    ));
    if generic {
        text.line(format!(
            "
/// <summary>All of them.</summary>
public Span<{element}> AsSpan() {{ fixed ({element}* elements = &first) return MemoryMarshal.CreateSpan(ref *elements, Length); }}"
        ));
    }
    text.close();
    text.finish()
}
