//! A measured layout as C members: with bytes for what no field covers, and `packed` or `align` where the
//! members alone would lie differently.

use super::writer::Writer;
use crate::model::{Field, Layout, Ty};

/// The members of a struct or a union, and what makes them lie right.
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
    /// The members of a struct that begins `base` bytes into the type that the offsets count from.
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
        let mut padded: Vec<Member> = Vec::with_capacity(list.len());
        let mut cursor = 0u64;
        for member in list {
            let own = member.layout.align.min(packed.unwrap_or(u64::MAX)).max(1);
            if cursor.next_multiple_of(own) < member.offset {
                padded.push(Member::bytes(&format!("padding_{cursor}"), cursor, member.offset));
            }
            cursor = member.offset + member.layout.size;
            padded.push(member);
        }
        if let Some(whole) = whole
            && cursor.next_multiple_of(whole.align.max(1)) < whole.size
        {
            padded.push(Member::bytes(&format!("padding_{cursor}"), cursor, whole.size));
        }
        let reached = packed.map_or(natural, |limit| natural.min(limit));
        Members { list: padded, packed, align: (align > reached).then_some(align) }
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

    /// Bytes that bitfields touch, side by side ones together: their storage units may overlap other fields.
    fn bit_members(&self, fields: &[Field], base: u64) -> Vec<Member> {
        let mut ranges: Vec<(u64, u64)> = fields.iter().filter_map(|field| self.touched(field)).collect();
        ranges.sort_unstable();
        let mut joined: Vec<(u64, u64)> = Vec::new();
        for (start, end) in ranges {
            match joined.last_mut() {
                Some(last) if start <= last.1 => last.1 = last.1.max(end),
                _ => joined.push((start, end)),
            }
        }
        let member = |(start, end)| Member::bytes(&format!("bits_{start}"), start - base, end - base);
        joined.into_iter().map(member).collect()
    }

    fn touched(&self, field: &Field) -> Option<(u64, u64)> {
        let bits = field.bits.filter(|bits| bits.width > 0)?;
        let (low, high) = (u64::from(bits.shift) / 8, u64::from(bits.shift + bits.width - 1) / 8);
        if self.api.target.big_endian {
            let size = self.api.layout(&field.ty)?.size;
            return Some((field.offset + size - 1 - high, field.offset + size - low));
        }
        Some((field.offset + low, field.offset + high + 1))
    }
}

fn natural(list: &[Member]) -> u64 {
    list.iter().map(|member| member.layout.align).max().unwrap_or(1)
}
