//! What the packers of several languages have in common.

use crate::Diagnostics;
use crate::model::{Api, Packed, PackedId, Piece, Placed, Wire, pieces};

/// Why a type has no packer, and how to fix that.
pub(crate) struct Refusal {
    pub what: String,
    pub help: &'static str,
}

/// The API without the types that are refused, and without those that hold one; each is reported.
pub(crate) fn without(
    api: &Api,
    language: &str,
    diagnostics: &mut Diagnostics,
    refusal: impl Fn(&Packed) -> Option<Refusal>,
) -> Api {
    let mut kept = api.clone();
    let refusals: Vec<Option<Refusal>> = api.packed.iter().map(refusal).collect();
    for (packed, refusal) in api.packed.iter().zip(&refusals) {
        if let Some(Refusal { what, help }) = refusal {
            diagnostics.unsupported(&packed.place, format!("`{}` {what}", packed.name), *help);
        }
    }
    for (packed, because) in kept.keep_packed(|PackedId(index)| refusals[index as usize].is_none()) {
        let message = format!("`{}` is left out of {language}, as `{because}` in it is", packed.name);
        diagnostics.unsupported(&packed.place, message, "");
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

/// What `part` gives for each part where it lies, with `w.zero(BYTES)` between them; one after the other if they are not raw.
pub(crate) fn laid(
    count: usize,
    placed: Option<&Placed>,
    part: impl Fn(usize) -> Vec<String>,
) -> Vec<String> {
    let piece = |piece| match piece {
        Piece::Part(index) => part(index),
        Piece::Room { size, .. } => vec![format!("w.zero({size})")],
    };
    pieces(count, placed).into_iter().flat_map(piece).collect()
}
