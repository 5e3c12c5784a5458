//! A measured layout as C members: with bytes where there is no field, and `packed` or `align` where the
//! members alone would lie differently.

use super::writer::Writer;
use crate::model::{Field, Layout, Ty, padded};

/// The members of a struct or a union, and what is needed to place them.
pub struct Members {
    pub list: Vec<Member>,
    /// For `#pragma pack`.
    pub packed: Option<u64>,
    /// For `UPCALL_ALIGN`.
    pub align: Option<u64>,
}

/// One member.
pub struct Member {
    /// As C declares it, without the semicolon.
    pub text: String,
    pub docs: String,
    /// Its name for `offsetof`; `None` where that is not wanted.
    pub name: Option<String>,
    pub offset: u64,
    pub layout: Layout,
}

impl Member {
    /// Bytes without a meaning of their own.
    pub fn bytes(name: &str, start: u64, end: u64) -> Member {
        Member {
            text: format!("uint8_t {name}[{}]", end - start),
            docs: String::new(),
            name: None,
            offset: start,
            layout: Layout { size: end - start, align: 1 },
        }
    }
}

impl Writer<'_> {
    /// The members of a struct that begins `base` bytes into the type that the offsets are counted from.
    pub fn struct_members(
        &self,
        fields: &[Field],
        base: u64,
        whole: Option<Layout>,
        packed: Option<u64>,
        first: Option<Member>,
    ) -> Members {
        let mut list: Vec<Member> = first.into_iter().collect();
        list.extend(
            fields.iter().filter(|field| field.bits.is_none()).filter_map(|field| self.member(field, base)),
        );
        list.extend(self.bit_members(fields, base));
        list.sort_by_key(|member| member.offset);
        let natural = natural(&list);
        let align = whole.map_or(natural, |whole| whole.align);
        let packed = packed.or((natural > align).then_some(align));
        let place = |member: &Member| (member.offset, member.layout);
        let gap = |start, end| Member::bytes(&format!("padding_{start}"), start, end);
        let list = padded(list, place, packed, whole, gap);
        let reached = packed.map_or(natural, |limit| natural.min(limit));
        Members { list, packed, align: (align > reached).then_some(align) }
    }

    pub fn union_members(&self, fields: &[Field], whole: Layout) -> Members {
        let plain = fields.iter().filter(|field| field.bits.is_none());
        let mut list: Vec<Member> = plain.filter_map(|field| self.member(field, 0)).collect();
        list.extend(self.bit_members(fields, 0));
        for member in &mut list {
            member.offset = 0;
        }
        let natural = natural(&list);
        let size = list.iter().map(|member| member.layout.size).max().unwrap_or(0);
        if size.next_multiple_of(whole.align.max(1)) < whole.size {
            list.push(Member::bytes("padding", 0, whole.size));
        }
        let packed = (natural > whole.align).then_some(whole.align);
        Members { list, packed, align: (whole.align > natural).then_some(whole.align) }
    }

    /// A field as it is; nothing for one without bytes, except an array of no elements.
    fn member(&self, field: &Field, base: u64) -> Option<Member> {
        let layout = self.api.layout(&field.ty)?;
        let name = self.names.inner(&field.name);
        let empty = layout.size == 0;
        if empty && !matches!(self.api.resolve(&field.ty), Ty::Array { len: 0, .. }) {
            return None;
        }
        let text = self.speller().declare(&field.ty, &name);
        let text = if empty { format!("UPCALL_EXTENSION {text}") } else { text };
        let offset = field.offset.saturating_sub(base);
        Some(Member { text, docs: field.docs.clone(), name: Some(name), offset, layout })
    }

    fn bit_members(&self, fields: &[Field], base: u64) -> impl Iterator<Item = Member> {
        let member = move |(start, end)| Member::bytes(&format!("bits_{start}"), start - base, end - base);
        self.api.all_touched(fields).into_iter().map(member)
    }
}

fn natural(list: &[Member]) -> u64 {
    list.iter().map(|member| member.layout.align).max().unwrap_or(1)
}
