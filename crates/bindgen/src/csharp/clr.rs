//! How the CLR lays out structs without references: `EEClassLayoutInfo` of the runtime, for the structs that
//! this back end writes. It decides between `Sequential` and `Explicit`, and proves the result.

use crate::model::Layout;

/// Size and alignment of a type as the CLR computes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clr {
    pub size: u64,
    pub align: u64,
    /// False where runtimes differ in the alignment (`Int128`, explicit structs that are not blittable).
    pub certain: bool,
}

impl Clr {
    pub fn scalar(size: u64) -> Clr {
        Clr { size, align: size.max(1), certain: true }
    }

    /// `len` of them side by side.
    pub fn times(self, len: u64) -> Clr {
        Clr { size: self.size * len, ..self }
    }
}

/// The attribute that gives a struct its measured layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    pub explicit: bool,
    pub pack: Option<u64>,
    pub size: Option<u64>,
    /// The layout the CLR gives it.
    pub clr: Clr,
}

impl Plan {
    /// The attribute's text.
    pub fn attribute(&self) -> String {
        let mut text = format!("LayoutKind.{}", if self.explicit { "Explicit" } else { "Sequential" });
        for (name, value) in [("Pack", self.pack), ("Size", self.size)] {
            if let Some(value) = value {
                text += &format!(", {name} = {value}");
            }
        }
        format!("[StructLayout({text})]")
    }
}

/// The plainest attribute with which fields of these offsets and layouts, in this order, lie as measured.
/// `None` if there is none, because fields lie beyond the size.
pub(super) fn plan(fields: &[(u64, Clr)], measured: Layout, union: bool) -> Option<Plan> {
    if !union && fields.iter().all(|(_, clr)| clr.certain) {
        for pack in [None, Some(1), Some(2), Some(4), Some(8)] {
            if let Some(plan) = sequential(fields, measured.size, pack) {
                return Some(plan);
            }
        }
    }
    explicit(fields, measured.size)
}

fn sequential(fields: &[(u64, Clr)], size: u64, pack: Option<u64>) -> Option<Plan> {
    let (mut end, mut align) = (0_u64, 1);
    for (offset, clr) in fields {
        let own = clr.align.min(pack.unwrap_or(u64::MAX));
        align = align.max(own);
        if end.next_multiple_of(own) != *offset {
            return None;
        }
        end = offset + clr.size;
    }
    let given = (end.next_multiple_of(align).max(1) != size).then_some(size);
    if end > size || !size.is_multiple_of(align) {
        return None;
    }
    Some(Plan { explicit: false, pack, size: given, clr: Clr { size, align, certain: true } })
}

fn explicit(fields: &[(u64, Clr)], size: u64) -> Option<Plan> {
    let end = fields.iter().map(|(offset, clr)| offset + clr.size).max().unwrap_or(0);
    let natural = fields.iter().map(|(_, clr)| clr.align).max().unwrap_or(1);
    let certain = fields.iter().all(|(_, clr)| clr.certain);
    if end > size {
        return None;
    }
    let align =
        [natural, 8, 4, 2, 1].into_iter().find(|align| *align <= natural && size.is_multiple_of(*align))?;
    let pack = (align != natural).then_some(align);
    let given = (end.next_multiple_of(align).max(1) != size || !certain).then_some(size);
    Some(Plan { explicit: true, pack, size: given, clr: Clr { size, align, certain } })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(fields: &[(u64, u64)], size: u64) -> Plan {
        let fields: Vec<_> = fields.iter().map(|(offset, size)| (*offset, Clr::scalar(*size))).collect();
        plan(&fields, Layout { size, align: 1 }, false).unwrap()
    }

    #[test]
    fn the_plainest_attribute_is_chosen() {
        let text = |fields: &[(u64, u64)], size| of(fields, size).attribute();
        assert_eq!(text(&[(0, 1), (4, 4)], 8), "[StructLayout(LayoutKind.Sequential)]");
        assert_eq!(text(&[(0, 1), (1, 4)], 5), "[StructLayout(LayoutKind.Sequential, Pack = 1)]");
        assert_eq!(text(&[(0, 1), (2, 8), (10, 2)], 12), "[StructLayout(LayoutKind.Sequential, Pack = 2)]");
        assert_eq!(text(&[(0, 4)], 16), "[StructLayout(LayoutKind.Sequential, Size = 16)]");
        assert_eq!(text(&[(0, 1), (16, 4)], 32), "[StructLayout(LayoutKind.Explicit, Size = 32)]");
        assert_eq!(text(&[(0, 1), (3, 4)], 7), "[StructLayout(LayoutKind.Explicit, Pack = 1)]");
    }

    #[test]
    fn what_does_not_fit_has_no_layout() {
        assert_eq!(plan(&[(4, Clr::scalar(8))], Layout { size: 8, align: 4 }, false), None);
    }

    #[test]
    fn a_field_whose_alignment_is_not_certain_is_placed_by_hand() {
        let wide = Clr { size: 16, align: 16, certain: false };
        let plan = plan(&[(0, wide)], Layout { size: 16, align: 16 }, false).unwrap();
        assert_eq!(plan.attribute(), "[StructLayout(LayoutKind.Explicit, Size = 16)]");
    }
}
