//! What the compiler has read, from what cargo says and from the dependency lists it writes for `make`.

use super::cache::Inputs;
use super::script;
use cargo_metadata::{Message, PackageId, TargetKind};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The user's own file behind a path of the compiler's; none where that is ours.
pub(super) type Original<'a> = &'a dyn Fn(&Path) -> Option<PathBuf>;

/// What all local packages of a compilation were made from.
pub(super) fn of(messages: &[Message], original: Original) -> Inputs {
    let (mut inputs, mut packages) = (Inputs::default(), HashMap::new());
    for message in messages {
        match message {
            Message::CompilerArtifact(artifact) if is_local(&artifact.package_id) => {
                let script = artifact.target.kind.contains(&TargetKind::CustomBuild);
                let manifest = artifact.manifest_path.as_std_path();
                inputs.files.extend(original(manifest));
                for file in artifact.filenames.iter().map(|file| file.as_std_path()) {
                    match script {
                        true => script::add_source(file, original, &mut inputs),
                        false => add(&dependencies_of(file), original, &mut inputs),
                    }
                }
                packages.insert(&artifact.package_id, manifest.parent().unwrap_or(Path::new("")));
            }
            Message::BuildScriptExecuted(script) if is_local(&script.package_id) => {
                if let Some(folder) = packages.get(&script.package_id) {
                    script::add(script, folder, original, &mut inputs);
                }
            }
            _ => {}
        }
    }
    inputs
}

/// Packages of a registry never change; those of a folder do.
fn is_local(package: &PackageId) -> bool {
    package.repr.starts_with("path+")
}

/// `libname-hash.rmeta` has its list in `name-hash.d`.
fn dependencies_of(artifact: &Path) -> PathBuf {
    let stem = artifact.file_stem().unwrap_or_default().to_string_lossy();
    artifact.with_file_name(format!("{}.d", stem.strip_prefix("lib").unwrap_or(&stem)))
}

/// Adds the files that a list of dependencies names, with originals in place of copies.
pub(super) fn add(list: &Path, original: Original, inputs: &mut Inputs) {
    for line in fs::read_to_string(list).unwrap_or_default().lines() {
        if let Some(variable) = line.strip_prefix("# env-dep:") {
            let (name, value) =
                variable.split_once('=').map_or((variable, None), |(name, value)| (name, Some(value)));
            // Cargo sets its own variables; their sources are in the manifest.
            if !name.starts_with("CARGO") {
                inputs.variables.push((
                    name.to_owned(),
                    value.map(|value| value.replace("\\n", "\n").replace("\\\\", "\\")),
                ));
            }
        } else if let Some(path) = line.strip_suffix(':')
            && let Some(path) = original(Path::new(&path.replace("\\ ", " ")))
            && !inputs.files.contains(&path)
        {
            inputs.files.push(path);
        }
    }
}
