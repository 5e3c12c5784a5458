//! The library of functions that C inlines, built from `shims.c` for each package.

use crate::build::unfinished;
use crate::c;
use crate::check::{library_file, said};
use crate::config::Config;
use crate::generate::{Generated, place};
use crate::step::{Outcome, Stop};
use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the packages look for it: its file for each output that calls it, and the language of the first. `target` is
/// that of outputs that differ between targets.
pub(crate) fn places(
    config: &Config,
    generated: &Generated,
    target: Option<&String>,
) -> BTreeMap<PathBuf, &'static str> {
    let of = |name: &String| generated.apis.iter().find(|api| api.target.triple == *name);
    let mut places = BTreeMap::new();
    let Some(api) = target.and_then(of).or(generated.apis.first()) else { return places };
    let file = library_file(&format!("{}_inline", api.library));
    for (path, backend) in config.outputs().into_iter().filter(|(_, backend)| backend.calls()) {
        let mut folder = place(path, backend).0;
        folder.extend(target);
        places.entry(folder.join(backend.libraries(api)).join(&file)).or_insert(backend.language());
    }
    places
}

/// Compiles it, as the first lines of `shims.c` say.
pub(crate) fn build(config: &Config, shims: &Path, to: &Path, stop: &Stop) -> Result<Outcome, String> {
    let chosen = env::var("CC").unwrap_or_default();
    let mut words = chosen.split_whitespace();
    let mut compiler = Command::new(words.next().unwrap_or("cc"));
    let made = unfinished(to);
    compiler.args(words).args(config.c.iter().flat_map(c::arguments)).arg("-o").arg(&made).arg(shims);
    said(stop, &mut compiler, "install a C compiler, or name one in CC")?;
    fs::rename(&made, to).map_err(|error| format!("renaming {}: {error}", made.display()))?;
    Ok(Outcome::Passed(format!("built {}", to.display())))
}
