//! Rust sources as a [`crate::model::Api`].
//!
//! | step | module |
//! | --- | --- |
//! | files become modules of items: `cfg` decided, `include!` done, macros expanded | `source` |
//! | names are resolved, types declared, functions listed | `lower` |
//! | sizes, offsets and values | [`crate::probe`] |
//!
//! What is taken: functions with a C ABI and a symbol, declarations in `extern "C"` blocks, items with
//! `#[upcall::export]`, statics with a symbol, public constants of scalar types and text, every type
//! that these use, and types with `#[derive(Pack)]`. Traits and async functions do not cross; a diagnostic says
//! so where one is found.

mod empty;
mod input;
mod lower;
pub mod source;

pub use input::Input;

use crate::diagnostics::Diagnostics;
use crate::model::Api;
use crate::probe;

/// Reads the crates of `input`, layouts included: one API for each root file. `None` if that is impossible;
/// `diagnostics` says why.
pub fn read(input: &Input, diagnostics: &mut Diagnostics) -> Option<Vec<Api>> {
    let crates = source::load(input, diagnostics)?;
    let options = probe::Options {
        target: input.target.clone(),
        build_script: input.build_script,
        ..probe::Options::default()
    };
    let mut apis = Vec::new();
    for root in 0..crates.len() {
        let Some((mut api, plan)) = lowered(&crates, root, input, &options, diagnostics) else { continue };
        if diagnostics.failed() {
            continue;
        }
        if !api.only_packs() && !probe::measure(&mut api, &plan, &options, diagnostics) {
            continue;
        }
        empty::without(&mut api, diagnostics);
        api.sort_types();
        apis.push(api);
    }
    (!diagnostics.failed()).then_some(apis)
}

/// The API of one crate, once all values that its generic types depend on are known.
fn lowered(
    crates: &[source::Crate],
    root: usize,
    input: &Input,
    options: &probe::Options,
    diagnostics: &mut Diagnostics,
) -> Option<(Api, probe::Plan)> {
    let mut known = lower::Known::new();
    loop {
        let mut said =
            Diagnostics { skip_unsupported: diagnostics.skip_unsupported, ..Diagnostics::default() };
        let (api, plan) = lower::lower(crates, root, input, &known, &mut said);
        if plan.values.is_empty() || said.failed() {
            diagnostics.list.extend(said.list);
            return Some((api, plan));
        }
        let mut asking = probe::Plan::new(plan.source);
        for (value, _) in &plan.values {
            asking.spot(value.spot.clone());
        }
        asking.values = plan.values;
        let values = probe::values(&asking, options, diagnostics)?;
        known.extend(asking.values.into_iter().map(|(value, _)| value).zip(values));
    }
}
