//! From a plan to a complete model.

use super::ask::{Answer, Ask};
use super::cache::{self, Began, Key};
use super::cargo::TARGET;
use super::compile::Job;
use super::failure::Failure;
use super::mirror::absolute;
use super::options::Options;
use super::plan::Plan;
use super::sheet::Sheets;
use super::table;
use super::toolchain::Toolchain;
use super::{environment, fill, verify};
use crate::Diagnostics;
use crate::model::{Api, Place, Value};
use std::path::Path;

/// Incremented when the table's format changes, so that old results are not read in the new format.
const FORM: &str = "4";

/// Why there are no answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unanswered {
    /// `diagnostics` says why.
    Failed,
    /// The source was read otherwise than the compiler reads it: what holds of [`Plan::cfgs`]. It is to be read again.
    Otherwise(Vec<(String, bool)>),
}

/// Fills in the target, layouts, offsets and values of an API that was read from Rust sources, as the compiler
/// has them. If that fails, nothing is changed.
///
/// The compiler is started only if the same has not been measured before (see [`Options::keep`]).
///
/// # Errors
/// There are no answers.
pub fn measure(
    api: &mut Api,
    plan: &Plan,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Result<(), Unanswered> {
    let before = diagnostics.list.len();
    let measured = agreed(api, plan, options);
    let report = |failure: Failure| failure.report(api, diagnostics);
    let Measured { target, home, answers } = measured.map_err(|stopped| stopped.reported(report))?;
    let mut filled = api.clone();
    filled.target.triple = target;
    fill::fill(&mut filled, &answers, diagnostics);
    verify::verify(&filled, diagnostics);
    if diagnostics.list.len() > before {
        return Err(Unanswered::Failed);
    }
    without_copies(&mut filled, &home, diagnostics);
    *api = filled;
    Ok(())
}

/// Compares [`Plan::cfgs`] with what the compiler decides, where nothing is measured.
///
/// # Errors
/// There are no answers, or others.
pub fn decide(plan: &Plan, options: &Options, diagnostics: &mut Diagnostics) -> Result<(), Unanswered> {
    let api = Api::default();
    let report = |failure: Failure| failure.report(&api, diagnostics);
    agreed(&api, &plan.of_predicates(), options).map(drop).map_err(|stopped| stopped.reported(report))
}

/// The values of the plan's [`Plan::values`]: `true` is 1, a character is its number.
///
/// # Errors
/// There are no answers.
pub fn values(
    plan: &Plan,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<i128>, Unanswered> {
    let api = Api::default();
    let report = |failure: Failure| match failure.ask {
        Some(Ask::Value(index)) => {
            let (value, place) = &plan.values[index];
            let message = format!("`{}` cannot be measured: {}", value.text, failure.message);
            diagnostics.error(Some(place), message, failure.help);
        }
        _ => failure.report(&api, diagnostics),
    };
    let measured = agreed(&api, plan, options).map_err(|stopped| stopped.reported(report))?;
    let values = measured.answers.into_iter().filter_map(|answer| match answer {
        (Ask::Value(_), Answer::Number(value)) => Some(value),
        _ => None,
    });
    Ok(values.collect())
}

/// Constants that contain the path of the copy, or of the folder that its build script writes to, are left out.
fn without_copies(api: &mut Api, home: &str, diagnostics: &mut Diagnostics) {
    api.constants.retain(|constant| {
        let text = match &constant.value {
            Value::Str(text) => text.into(),
            Value::CStr(bytes) => String::from_utf8_lossy(bytes),
            _ => return true,
        };
        let says = text.contains(home) || text.contains(TARGET);
        if says {
            says_where(&constant.name, &constant.place, diagnostics);
        }
        !says
    });
}

/// Reports that a constant is left out because its value depends on where a build writes.
pub(crate) fn says_where(name: &str, place: &Place, diagnostics: &mut Diagnostics) {
    let message = format!("the constant `{name}` is left out: it says where a build writes");
    diagnostics.warning(Some(place), message, "export a function that returns it");
}

struct Measured {
    target: String,
    /// The name of the copy's folder.
    home: String,
    answers: Vec<(Ask, Answer)>,
}

enum Stopped {
    Failed(Vec<Failure>),
    Otherwise(Vec<(String, bool)>),
}

impl Stopped {
    fn reported(self, report: impl FnMut(Failure)) -> Unanswered {
        match self {
            Stopped::Failed(failures) => {
                failures.into_iter().for_each(report);
                Unanswered::Failed
            }
            Stopped::Otherwise(told) => Unanswered::Otherwise(told),
        }
    }
}

/// The answers, if the source was read as the compiler reads it.
fn agreed(api: &Api, plan: &Plan, options: &Options) -> Result<Measured, Stopped> {
    let told = |measured: &Measured| -> Vec<(String, bool)> {
        let told = measured.answers.iter().filter_map(|(ask, answer)| match (ask, answer) {
            (Ask::Cfg(index), Answer::Number(holds)) => Some((plan.cfgs[*index].0.clone(), *holds != 0)),
            _ => None,
        });
        told.collect()
    };
    match answers(api, plan, options) {
        Ok(measured) => match told(&measured) {
            told if told == plan.cfgs => Ok(measured),
            told => Err(Stopped::Otherwise(told)),
        },
        Err(failures) => {
            // What was asked about may not be there. An error in the source itself is another matter.
            let own = failures.iter().all(|failure| failure.ask.is_none() && failure.place.is_some());
            if own || plan.cfgs.is_empty() {
                return Err(Stopped::Failed(failures));
            }
            match answers(&Api::default(), &plan.of_predicates(), options).map(|alone| told(&alone)) {
                Ok(told) if told != plan.cfgs => Err(Stopped::Otherwise(told)),
                _ => Err(Stopped::Failed(failures)),
            }
        }
    }
}

fn answers(api: &Api, plan: &Plan, options: &Options) -> Result<Measured, Vec<Failure>> {
    plan.check(api)?;
    let sheets = Sheets::new(api, plan);
    let source = plan.source.manifest.as_ref().unwrap_or(&plan.source.root);
    let source = absolute(source);
    let home = source.parent().unwrap_or(Path::new("/"));
    let toolchain = Toolchain::find(home, options.target.as_deref())?;
    let key = key(plan, &sheets, options, &toolchain, home);
    let folder = options.folder.clone().unwrap_or_else(cache::user_folder);
    let results = folder.join("results");
    if options.keep
        && let Some(answers) = cache::find(&results, &key, &sheets.asked)
    {
        return Ok(Measured { home: name(plan, &toolchain), target: toolchain.target, answers });
    }
    toolchain.check_target(home)?;
    let name = name(plan, &toolchain);
    let job = Job { plan, sheets: &sheets, options, toolchain: &toolchain, folder: &folder, name: &name };
    let began = Began::now(&results).ok();
    let compiled = job.run()?;
    let answers = table::read(&compiled.object, &sheets.asked);
    let answers =
        answers.map_err(|message| Failure::new(format!("the probe cannot be read: {message}"), ""))?;
    if let (true, Some(began)) = (options.keep, began) {
        cache::keep(&results, &key, &began, &compiled.inputs, &answers);
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
    key.add_file(&absolute(&plan.source.root));
    environment::add(&mut key, home, plan.source.manifest.is_some());
    key.finish()
}
