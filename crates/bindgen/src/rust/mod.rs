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
use crate::probe::{self, Unanswered};
use source::Told;

/// Reads the crates of `input`, layouts included: one API for each root file. `None` if that is impossible;
/// `diagnostics` says why.
pub fn read(input: &Input, diagnostics: &mut Diagnostics) -> Option<Vec<Api>> {
    let mut told: Vec<Told> = vec![Told::new(); input.files.len()];
    for _ in 0..MOST_READINGS {
        let mut said = diagnostics.another();
        match attempt(input, &told, &mut said) {
            Err(Otherwise { root, what }) => told[root].extend(what),
            Ok(apis) => {
                diagnostics.list.extend(said.list);
                return apis;
            }
        }
    }
    let message = "the compiler decides about `cfg` otherwise each time that it is asked";
    diagnostics.error(None, message, "make the build script set the same flags each time");
    None
}

/// Each reading may find predicates behind those that the one before has got wrong.
const MOST_READINGS: usize = 100;

/// What the compiler has said of predicates that were decided otherwise in a crate.
struct Otherwise {
    root: usize,
    what: Vec<(String, bool)>,
}

fn attempt(
    input: &Input,
    told: &[Told],
    diagnostics: &mut Diagnostics,
) -> Result<Option<Vec<Api>>, Otherwise> {
    let crates = source::load_all(input, told, diagnostics);
    let unread = diagnostics.failed();
    let mut apis = Vec::new();
    for (root, krate) in crates.iter().enumerate() {
        let options = probe::Options {
            target: input.target.clone(),
            build_script: input.build_script.or(krate.runs_script.then_some(true)),
            ..probe::Options::default()
        };
        let api = match unread {
            true => Err(doubt(krate, &options)),
            false => one(&crates, root, input, &options, diagnostics),
        };
        match api {
            Ok(api) => apis.push(api),
            Err(Unanswered::Failed) => {}
            Err(Unanswered::Otherwise(what)) => return Err(Otherwise { root, what }),
        }
    }
    Ok((!diagnostics.failed()).then_some(apis))
}

fn one(
    crates: &[source::Crate],
    root: usize,
    input: &Input,
    options: &probe::Options,
    diagnostics: &mut Diagnostics,
) -> Result<Api, Unanswered> {
    let (mut api, plan) = lowered(crates, root, input, options, diagnostics)?;
    if diagnostics.failed() {
        return Err(doubt(&crates[root], options));
    }
    match api.only_packs() {
        // Nothing is measured of what is packed, but the fields that there are may depend on the build.
        true if plan.cfgs.iter().all(|(predicate, _)| source::is_settled(predicate)) => {}
        true => probe::decide(&plan, options, diagnostics)?,
        false => probe::measure(&mut api, &plan, options, diagnostics)?,
    }
    empty::without(&mut api, diagnostics);
    api.sort_types();
    Ok(api)
}

/// What is wrong with a source may be that it was read otherwise than it is compiled. If it is not, or if that cannot be
/// said, the errors that there are say more.
fn doubt(krate: &source::Crate, options: &probe::Options) -> Unanswered {
    if krate.decided.iter().all(|(predicate, _)| source::is_settled(predicate)) {
        return Unanswered::Failed;
    }
    let plan = probe::Plan { cfgs: krate.decided.clone(), ..probe::Plan::new(krate.source.clone()) };
    probe::decide(&plan, options, &mut Diagnostics::default()).err().unwrap_or(Unanswered::Failed)
}

/// The API of one crate, once all values that its generic types depend on are known.
fn lowered(
    crates: &[source::Crate],
    root: usize,
    input: &Input,
    options: &probe::Options,
    diagnostics: &mut Diagnostics,
) -> Result<(Api, probe::Plan), Unanswered> {
    let mut known = lower::Known::new();
    loop {
        let mut said = diagnostics.another();
        let (api, plan) = lower::lower(crates, root, input, &known, &mut said);
        if plan.values.is_empty() || said.failed() {
            diagnostics.list.extend(said.list);
            return Ok((api, plan));
        }
        let mut asking = probe::Plan::new(plan.source);
        asking.cfgs = plan.cfgs;
        for (value, _) in &plan.values {
            asking.spot(value.spot.clone());
        }
        asking.values = plan.values;
        let values = probe::values(&asking, options, diagnostics)?;
        known.extend(asking.values.into_iter().map(|(value, _)| value).zip(values));
    }
}
