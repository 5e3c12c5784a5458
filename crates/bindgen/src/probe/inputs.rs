//! What the compiler has read, from the dependency list it writes for `make`.

use super::cache::Inputs;
use super::messages::Paths;
use std::fs;
use std::path::Path;

/// Adds the files that a list of dependencies names, with originals in place of copies.
pub(super) fn add(list: &Path, paths: &Paths, inputs: &mut Inputs) {
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
        } else if let Some(path) = line.strip_suffix(':') {
            let path = paths.original(Path::new(&path.replace("\\ ", " ")));
            if !path.starts_with(paths.texts) && !inputs.files.contains(&path) {
                inputs.files.push(path);
            }
        }
    }
}
