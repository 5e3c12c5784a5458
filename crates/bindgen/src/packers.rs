//! What the packers of several languages have in common.

use crate::Diagnostics;
use crate::model::{Api, PackedId, Wire};

/// The API without the types that need Brotli, which the language has no code for; each is named.
pub(crate) fn without_brotli(api: &Api, language: &str, diagnostics: &mut Diagnostics) -> Api {
    let mut api = api.clone();
    let needs = |id: PackedId, api: &Api| {
        let wires = api.packed(id).body.wires();
        wires.into_iter().any(|wire| wire.any(&mut |wire| matches!(wire, Wire::Brotli(_))))
    };
    let all: Vec<bool> = (0..api.packed.len() as u32).map(|id| needs(PackedId(id), &api)).collect();
    for (packed, _) in api.packed.iter().zip(&all).filter(|(_, needs)| **needs) {
        let message =
            format!("`{}` is compressed with Brotli, which {language} has no code for", packed.name);
        diagnostics.unsupported(&packed.place, message, "write the bytes as they are");
    }
    for (packed, because) in api.keep_packed(|id| !all[id.0 as usize]) {
        let message = format!("`{}` is left out of {language}, as `{because}` in it is", packed.name);
        diagnostics.unsupported(&packed.place, message, "");
    }
    api
}
