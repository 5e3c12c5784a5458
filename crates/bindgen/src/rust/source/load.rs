//! From the user's input to crates.

use super::cfg::{Flags, Told};
use super::package::{Home, Packages, Root};
use super::walk::Walk;
use super::{Calls, Crate, compiler, expand};
use crate::Diagnostics;
use crate::probe::Source;
use crate::rust::Input;
use std::path::Path;

/// Rust's editions.
const EDITIONS: [&str; 4] = ["2015", "2018", "2021", "2024"];

/// Reads every root file of an input with all modules that `cfg` leaves in. `None` after any error;
/// all errors are reported.
pub fn load(input: &Input, diagnostics: &mut Diagnostics) -> Option<Vec<Crate>> {
    let before = diagnostics.list.len();
    let crates = load_all(input, &[], diagnostics);
    let failed = diagnostics.list[before..].iter().any(|one| one.severity == crate::Severity::Error);
    (!failed).then_some(crates)
}

/// As [`load`], but with whatever could be read after an error. `told` is what the compiler has said of predicates,
/// for each root.
pub(crate) fn load_all(input: &Input, told: &[Told], diagnostics: &mut Diagnostics) -> Vec<Crate> {
    let mut packages = Packages::default();
    let roots: Vec<Root> = input.files.iter().filter_map(|path| packages.root(path, diagnostics)).collect();
    if input.files.is_empty() {
        diagnostics.error(None, "no Rust source is given", "give a crate's root file, as `src/lib.rs`");
    }
    unknown_features(input, &roots, diagnostics);
    wrong_edition(input, &roots, diagnostics);
    let mut crates = Vec::new();
    for (index, root) in roots.iter().enumerate() {
        let folder = match &root.home {
            Some(home) => home.folder(),
            None => root.file.parent().unwrap_or(Path::new("")),
        };
        match compiler::flags(folder, input.target.as_deref()) {
            Ok(mut flags) => {
                flags.told = told.get(index).cloned().unwrap_or_default();
                crates.push(read(input, root, flags, diagnostics));
            }
            Err(message) => diagnostics.error(None, message, "install Rust, or set RUSTC"),
        }
    }
    crates
}

fn wrong_edition(input: &Input, roots: &[Root], diagnostics: &mut Diagnostics) {
    let Some(edition) = &input.edition else { return };
    if !EDITIONS.contains(&edition.as_str()) {
        let help = format!("there are {}", EDITIONS.join(", "));
        diagnostics.error(None, format!("there is no edition `{edition}`"), help);
    }
    for root in roots.iter().filter(|root| root.home.is_some()) {
        let message = format!("the edition of `{}` cannot be chosen", root.file.display());
        diagnostics.error(None, message, "its Cargo.toml says which edition it has");
    }
}

fn unknown_features(input: &Input, roots: &[Root], diagnostics: &mut Diagnostics) {
    let homes: Vec<&Home> = roots.iter().filter_map(|root| root.home.as_ref()).collect();
    for name in input.features.iter().filter(|name| !name.contains('/')) {
        if roots.len() == homes.len() && !homes.iter().any(|home| home.package.features.contains_key(name)) {
            let all: Vec<String> = homes
                .iter()
                .flat_map(|home| home.package.features.keys())
                .map(|one| format!("`{one}`"))
                .collect();
            let help =
                if all.is_empty() { "it has none".to_owned() } else { format!("it has {}", all.join(", ")) };
            diagnostics.error(None, format!("the package has no feature `{name}`"), help);
        }
    }
}

fn read(input: &Input, root: &Root, mut flags: Flags, diagnostics: &mut Diagnostics) -> Crate {
    let mut cfgs = input.cfg.clone();
    match &root.home {
        Some(home) => home.add_features(input, &mut flags),
        // No package can know them.
        None => cfgs.extend(input.features.iter().map(|name| format!("feature=\"{name}\""))),
    }
    cfgs.iter().for_each(|flag| flags.add(flag));
    let mut source = Source {
        root: root.file.clone(),
        manifest: root.home.as_ref().map(|home| home.package.manifest_path.clone().into_std_path_buf()),
        edition: input.edition.clone().or(root.edition.clone()),
        features: if root.home.is_some() { input.features.clone() } else { Vec::new() },
        default_features: input.default_features,
        cfgs,
        says_file: false,
        says_package: false,
    };
    let within = root.home.as_ref().is_some_and(Home::is_within);
    let mut walk = Walk {
        flags: &flags,
        home: root.home.as_ref(),
        out_dir: if within { std::env::var("OUT_DIR").ok() } else { None },
        diagnostics,
        modules: Vec::new(),
        invocations: Vec::new(),
        reads_output: false,
        names_flags: false,
        says: (false, false),
        open: Vec::new(),
    };
    walk.root(&root.file);
    let Walk { modules, invocations, reads_output, names_flags, says, out_dir, .. } = walk;
    (source.says_file, source.says_package) = says;
    // Within the script itself its output is there already, but cargo has not heard of its flags.
    let runs_script = input.build_script.unwrap_or(names_flags || reads_output && !within);
    let name = root.home.as_ref().map_or("crate".to_owned(), |home| home.target.name.replace('-', "_"));
    let windows_x86 = flags.has("target_os", "windows") && flags.has("target_arch", "x86");
    let calls =
        Calls { system_is_c: !windows_x86, underscore: windows_x86 || flags.has("target_vendor", "apple") };
    let decided = flags.decided();
    let renamed = root.home.as_ref().map(Home::renamed).unwrap_or_default();
    let mut read = Crate { name, renamed, source, modules, decided, runs_script, calls };
    if !invocations.is_empty() && !diagnostics.failed() && !crate::probe::is_nested() {
        let job = expand::Job {
            input,
            home: root.home.as_ref(),
            source: &read.source,
            name: &read.name,
            out_dir: out_dir.as_deref(),
            build_script: runs_script,
        };
        match job.run() {
            Ok(items) => super::merge::merge(&mut read.modules, &invocations, items),
            Err(failures) => failures.into_iter().for_each(|(place, message)| {
                let first = &invocations[0];
                let at = crate::model::Place {
                    file: first.file.to_path_buf(),
                    line: first.at.0,
                    column: first.at.1,
                };
                let message = format!("what a macro makes is not known: {message}");
                diagnostics.error(
                    Some(&place.unwrap_or(at)),
                    message,
                    "`cargo check` has to accept the crate",
                );
            }),
        }
    }
    read
}
