use crate::Report;
use crate::plan::{Packed, PackedId, Plan, Wire};

/// Why a type has no packer, and how to fix that.
pub(crate) struct Refusal {
    pub what: String,
    pub help: &'static str,
}

/// The API without the types that are refused, and without those that hold one; each is reported.
pub(crate) fn without(
    plan: &Plan,
    language: &str,
    report: &mut dyn Report,
    refusal: impl Fn(&Packed) -> Option<Refusal>,
) -> Plan {
    let mut kept = plan.clone();
    let refusals: Vec<Option<Refusal>> = plan.iter().map(refusal).collect();
    for (packed, refusal) in plan.iter().zip(&refusals) {
        if let Some(Refusal { what, help }) = refusal {
            report.unsupported(&packed.place, format!("`{}` {what}", packed.name), help);
        }
    }
    for (packed, because) in kept.keep(|PackedId(index)| refusals[index as usize].is_none()) {
        let message = format!("`{}` is left out of {language}, as `{because}` in it is", packed.name);
        report.unsupported(&packed.place, message, "");
    }
    kept
}

/// The refusal of a type that needs Brotli, which the language has no code for.
pub(crate) fn brotli(packed: &Packed, language: &str) -> Option<Refusal> {
    let compressed = |wire: &&Wire| wire.any(&mut |wire| matches!(wire, Wire::Brotli(_)));
    packed.body.wires().iter().any(compressed).then(|| Refusal {
        what: format!("is compressed with Brotli, which {language} has no code for"),
        help: "write the bytes as they are",
    })
}
