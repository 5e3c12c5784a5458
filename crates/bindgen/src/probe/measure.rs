//! From a plan to a complete model.

use super::ask::{Answer, Ask};
use super::cache::{self, Key};
use super::compile::Job;
use super::failure::Failure;
use super::mirror::absolute;
use super::options::Options;
use super::plan::Plan;
use super::sheet::Sheets;
use super::table;
use super::toolchain::Toolchain;
use super::{fill, verify};
use crate::Diagnostics;
use crate::model::{Api, Place, Value};
use std::env;
use std::path::Path;

/// Incremented when the table's format changes, so that old results are not read in the new format.
const FORM: &str = "2";

/// Fills in the target, layouts, offsets and values of an API that was read from Rust sources, as the compiler
/// has them. `false` if that fails: nothing is changed then, and `diagnostics` says why.
///
/// The compiler is started only if the same has not been measured before (see [`Options::keep`]).
pub fn measure(api: &mut Api, plan: &Plan, options: &Options, diagnostics: &mut Diagnostics) -> bool {
    let before = diagnostics.list.len();
    match answers(api, plan, options) {
        Ok(Measured { target, home, answers }) => {
            let mut filled = api.clone();
            filled.target.triple = target;
            fill::fill(&mut filled, &answers, diagnostics);
            verify::verify(&filled, diagnostics);
            let fine = diagnostics.list.len() == before;
            if fine {
                without_copies(&mut filled, &home, diagnostics);
                *api = filled;
            }
            fine
        }
        Err(failures) => {
            failures.into_iter().for_each(|failure| failure.report(api, diagnostics));
            false
        }
    }
}

/// The values of the plan's [`Plan::values`]: `true` is 1, a character is its number. `None` if that fails,
/// and `diagnostics` says why.
pub fn values(plan: &Plan, options: &Options, diagnostics: &mut Diagnostics) -> Option<Vec<i128>> {
    let api = Api::default();
    match answers(&api, plan, options) {
        Ok(Measured { answers, .. }) => {
            let values = answers.into_iter().filter_map(|answer| match answer {
                (Ask::Value(_), Answer::Number(value)) => Some(value),
                _ => None,
            });
            Some(values.collect())
        }
        Err(failures) => {
            for failure in failures {
                match failure.ask {
                    Some(Ask::Value(index)) => {
                        let (value, place) = &plan.values[index];
                        let message = format!("`{}` cannot be measured: {}", value.text, failure.message);
                        diagnostics.error(Some(place), message, failure.help);
                    }
                    _ => failure.report(&api, diagnostics),
                }
            }
            None
        }
    }
}

/// Constants that contain the copy's path differ from the original's.
fn without_copies(api: &mut Api, home: &str, diagnostics: &mut Diagnostics) {
    api.constants.retain(|constant| {
        let says = match &constant.value {
            Value::Str(text) => text.contains(home),
            Value::CStr(bytes) => String::from_utf8_lossy(bytes).contains(home),
            _ => false,
        };
        if says {
            says_where(&constant.name, &constant.place, diagnostics);
        }
        !says
    });
}

/// Reports that a constant is left out because its value depends on where the crate is compiled.
pub(crate) fn says_where(name: &str, place: &Place, diagnostics: &mut Diagnostics) {
    let message = format!("the constant `{name}` is left out: it says where the crate is compiled");
    diagnostics.warning(Some(place), message, "export a function that returns it");
}

struct Measured {
    target: String,
    /// The name of the copy's folder.
    home: String,
    answers: Vec<(Ask, Answer)>,
}

fn answers(api: &Api, plan: &Plan, options: &Options) -> Result<Measured, Vec<Failure>> {
    let one = |failure| vec![failure];
    plan.check(api).map_err(one)?;
    let sheets = Sheets::new(api, plan);
    let source = plan.source.manifest.as_ref().unwrap_or(&plan.source.root);
    let source = absolute(source);
    let home = source.parent().unwrap_or(Path::new("/"));
    let toolchain = Toolchain::find(home, options.target.as_deref()).map_err(one)?;
    let key = key(plan, &sheets, options, &toolchain, home);
    let folder = options.folder.clone().unwrap_or_else(cache::user_folder);
    let results = folder.join("results");
    if options.keep
        && let Some(answers) = cache::find(&results, &key, &sheets.asked)
    {
        return Ok(Measured { home: name(plan, &toolchain), target: toolchain.target, answers });
    }
    toolchain.check_target(home).map_err(one)?;
    let name = name(plan, &toolchain);
    let job = Job { plan, sheets: &sheets, options, toolchain: &toolchain, folder: &folder, name: &name };
    let compiled = job.run()?;
    let answers = table::read(&compiled.object, &sheets.asked);
    let answers =
        answers.map_err(|message| vec![Failure::new(format!("the probe cannot be read: {message}"), "")])?;
    if options.keep {
        cache::keep(&results, &key, &compiled.inputs, &answers);
    }
    Ok(Measured { home: name, target: toolchain.target, answers })
}

/// A scratch folder for each source, target and set of features, with a readable name.
fn name(plan: &Plan, toolchain: &Toolchain) -> String {
    let mut key = Key::default();
    key.add("source", format!("{:?}", plan.source));
    key.add("root", absolute(&plan.source.root).to_string_lossy().as_bytes());
    key.add("target", &toolchain.target);
    let path = plan.source.manifest.as_ref().and_then(|path| path.parent()).unwrap_or(&plan.source.root);
    let readable = absolute(path).file_name().unwrap_or_default().to_string_lossy().into_owned();
    format!("{readable}-{}", &key.finish()[..16])
}

fn key(plan: &Plan, sheets: &Sheets, options: &Options, toolchain: &Toolchain, home: &Path) -> String {
    let mut key = Key::default();
    key.add("form", FORM);
    key.add("version", &toolchain.version);
    key.add("target", &toolchain.target);
    key.add("source", format!("{:?}", plan.source));
    key.add("script", format!("{:?}", options.build_script));
    key.add("spots", format!("{:?}", plan.spots));
    for text in &sheets.texts {
        key.add("text", text);
    }
    for variable in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "RUSTC_BOOTSTRAP", "CARGO_HOME"] {
        key.add(variable, env::var_os(variable).unwrap_or_default().as_encoded_bytes());
    }
    key.add_file(&absolute(&plan.source.root));
    if plan.source.manifest.is_some() {
        for folder in home.ancestors() {
            for name in ["Cargo.toml", "Cargo.lock", ".cargo/config.toml", ".cargo/config"] {
                key.add_file(&folder.join(name));
            }
        }
    }
    key.finish()
}
