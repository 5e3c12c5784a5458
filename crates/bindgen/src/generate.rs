//! A whole run: read, measure, write.

use crate::backend::Backend;
use crate::config::Config;
use crate::diagnostics::Diagnostics;
use crate::model::Api;
use crate::write::{Written, write_all};
use crate::{File, rust, symbols};
use std::io;
use std::path::{Path, PathBuf};

/// The name of packages that have packed types only, where no library gives them one.
const PACKED: &str = "packed";

/// Folders and the files in them.
type Folders = Vec<(PathBuf, Vec<File>)>;

/// What a run made, not yet on disk.
#[derive(Clone, Debug)]
pub struct Generated {
    /// One for each target.
    pub apis: Vec<Api>,
    /// Folders and the files in them.
    pub outputs: Folders,
}

/// Reads what `config` names and makes the bindings. `None` on any error; warnings and errors
/// are in `diagnostics`.
pub fn generate(config: &Config, diagnostics: &mut Diagnostics) -> Option<Generated> {
    diagnostics.skip_unsupported |= config.skip_unsupported;
    let targets: Vec<Option<String>> = match &config.targets[..] {
        [] => vec![None],
        targets => targets.iter().cloned().map(Some).collect(),
    };
    let mut generated = Generated { apis: Vec::new(), outputs: Vec::new() };
    let mut made: Vec<(String, Folders)> = Vec::new();
    for target in targets {
        // What several targets share is reported once.
        let mut said = diagnostics.another();
        if let Some(api) = read(config, target.as_deref(), &mut said) {
            let mut made_of_it = outputs(config, &api, &mut said);
            #[cfg(feature = "c")]
            made_of_it.extend(shims(config, &api));
            made.push((api.target.triple.clone(), made_of_it));
            generated.apis.push(api);
        }
        for diagnostic in said.list {
            if !diagnostics.list.contains(&diagnostic) {
                diagnostics.list.push(diagnostic);
            }
        }
    }
    if diagnostics.failed() {
        return None;
    }
    generated.outputs = per_target(made);
    let made_by = config.command();
    let files = generated.outputs.iter_mut().flat_map(|(_, files)| files);
    files.for_each(|file| file.say_how_it_was_made(&made_by));
    Some(generated)
}

impl Generated {
    /// Brings all files to disk; see [`write()`](crate::write()). What an earlier run has written there, nobody has changed,
    /// and this run does not make, is removed.
    ///
    /// # Errors
    /// As [`write()`](crate::write()).
    pub fn write(&self) -> Result<Written, (PathBuf, io::Error)> {
        let library = self.apis.first().map_or("", |api| api.library.as_str());
        write_all(library, &self.outputs)
    }

    /// The source files that declarations were taken from, for a build script's `rerun-if-changed`.
    #[must_use]
    pub fn inputs(&self) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> = self
            .apis
            .iter()
            .flat_map(|api| {
                let types = api.types.iter().map(|declared| &declared.place.file);
                let packed = api.packed.iter().map(|packed| &packed.place.file);
                types.chain(packed).chain(api.functions.iter().map(|function| &function.place.file))
            })
            .cloned()
            .collect();
        files.sort();
        files.dedup();
        files
    }
}

fn read(config: &Config, target: Option<&str>, diagnostics: &mut Diagnostics) -> Option<Api> {
    let mut apis = Vec::new();
    if let Some(input) = &config.rust {
        let input =
            rust::Input { target: target.map(str::to_owned).or(input.target.clone()), ..input.clone() };
        apis.extend(rust::read(&input, diagnostics).unwrap_or_default());
    }
    #[cfg(feature = "c")]
    if let Some(input) = &config.c {
        let library = config.library.clone();
        let target = target.map(str::to_owned).or(input.target.clone());
        let input = crate::c::Input { target, library, ..input.clone() };
        apis.extend(crate::c::read(&input, diagnostics));
    }
    if config.reads_nothing() {
        diagnostics.error(None, "there is nothing to read", "name a Rust file or a C header");
    }
    let mut apis = apis.into_iter();
    let mut whole = apis.next()?;
    for api in apis {
        if let Err(clashes) = whole.append(api) {
            let message = format!("two inputs declare `{}`", clashes.join("`, `"));
            diagnostics.error(None, message, "generate them apart, or leave one out");
        }
    }
    whole.library.clone_from(&config.library);
    if whole.library.is_empty() {
        if !whole.only_packs() && config.calls() {
            let help = "say --library NAME: `engine` for libengine.so, libengine.dylib or engine.dll";
            diagnostics.error(None, "the bindings do not know which library they are for", help);
        }
        whole.library = PACKED.into();
    }
    whole.sort_types();
    whole.rename(&config.rename, diagnostics);
    whole.names_apart(config.changes_case(), &config.chosen_names(), diagnostics);
    if let Some(library) = &config.symbols {
        symbols::keep_exported(&mut whole, library, diagnostics);
    }
    (!diagnostics.failed()).then_some(whole)
}

fn outputs(config: &Config, api: &Api, diagnostics: &mut Diagnostics) -> Folders {
    let mut outputs = Vec::new();
    for (path, backend) in config.outputs() {
        if let Some(without) = backend.no_packers().filter(|_| api.only_packs()) {
            diagnostics.warning(None, without, "");
            continue;
        }
        let (folder, name) = place(path, backend);
        outputs.push((folder, backend.files(api, &name, diagnostics)));
    }
    outputs
}

/// The C file with the functions that the headers' library does not export, beside the header or the first output.
#[cfg(feature = "c")]
fn shims(config: &Config, api: &Api) -> Option<(PathBuf, Vec<File>)> {
    let files = crate::c::shims(config.c.as_ref()?, api);
    let header = config.header.as_ref().map(|header| split(&header.output).0);
    let first = || config.outputs().into_iter().find(|(_, backend)| backend.calls());
    let folder = header.or_else(|| first().map(|(path, backend)| place(path, backend).0))?;
    (!files.is_empty()).then_some((folder, files))
}

/// The folder that a back end writes to, and the last part of its path.
pub(crate) fn place(path: &Path, backend: &dyn Backend) -> (PathBuf, PathBuf) {
    let (folder, name) = split(path);
    (if backend.is_file() { folder } else { path.to_owned() }, name)
}

/// A file's folder and name.
fn split(path: &Path) -> (PathBuf, PathBuf) {
    let name = path.file_name().map(PathBuf::from).unwrap_or_default();
    (path.parent().map(Path::to_path_buf).unwrap_or_default(), name)
}

/// One set of files if all targets agree; otherwise one each, in a folder or with a name of its target.
fn per_target(mut made: Vec<(String, Folders)>) -> Folders {
    let equal = made.windows(2).all(|pair| pair[0].1 == pair[1].1);
    if equal {
        return made.pop().map(|(_, outputs)| outputs).unwrap_or_default();
    }
    let mut outputs = Vec::new();
    for (target, folders) in made {
        for (folder, files) in folders {
            outputs.push((folder.join(&target), files));
        }
    }
    outputs
}
