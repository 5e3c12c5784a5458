//! The manifest of the scratch package.

use cargo_metadata::{Dependency, DependencyKind, Package};
use std::collections::BTreeSet;
use std::path::Path;
use toml::{Table, Value};

/// What the scratch package keeps of the user's.
pub(crate) struct Kept<'a> {
    /// The user's package.
    pub package: &'a Package,
    /// The root file of the copy.
    pub root: &'a Path,
    /// `lib`, or `cdylib` to compile only what is exported instead of all that is public.
    pub crate_type: &'a str,
    /// Whether the build script is kept.
    pub build_script: Option<&'a Path>,
    /// Whether `cfg(debug_assertions)` holds.
    pub debug_assertions: bool,
    /// Whether the source depends on how a panic ends: then it does as the user's release profile says.
    pub asks_panic: bool,
    /// The manifest of the user's workspace, for `[patch]`.
    pub workspace: &'a Path,
}

/// `Cargo.toml` as text.
pub(crate) fn text(kept: &Kept) -> String {
    let package = kept.package;
    let mut about = Table::new();
    let mut set = |key: &str, value: Value| about.insert(key.to_owned(), value);
    set("name", text_value(package.name.as_str()));
    set("version", text_value(package.version.to_string()));
    set("edition", text_value(package.edition.to_string()));
    set("authors", list(package.authors.iter()));
    set("autobins", false.into());
    set("autoexamples", false.into());
    set("autotests", false.into());
    set("autobenches", false.into());
    for (key, value) in [
        ("description", &package.description),
        ("homepage", &package.homepage),
        ("repository", &package.repository),
        ("license", &package.license),
        ("links", &package.links),
    ] {
        if let Some(value) = value
            && (key != "links" || kept.build_script.is_some())
        {
            set(key, text_value(value));
        }
    }
    match kept.build_script {
        Some(path) => set("build", text_value(path.to_string_lossy())),
        None => set("build", false.into()),
    };
    let mut library = Table::new();
    library.insert("name".into(), text_value(crate_name(package)));
    library.insert("path".into(), text_value(kept.root.to_string_lossy()));
    library.insert("crate-type".into(), list([kept.crate_type].iter()));
    let mut profile = Table::new();
    profile.insert("debug".into(), false.into());
    profile.insert("opt-level".into(), 0.into());
    profile.insert("codegen-units".into(), 1.into());
    profile.insert("incremental".into(), false.into());
    profile.insert("panic".into(), text_value(panic(kept)));
    profile.insert("debug-assertions".into(), kept.debug_assertions.into());
    let mut manifest = Table::new();
    manifest.insert("package".into(), about.into());
    manifest.insert("lib".into(), library.into());
    manifest.insert("profile".into(), Table::from_iter([("dev".to_owned(), Value::from(profile))]).into());
    manifest.insert("workspace".into(), Table::from_iter([("resolver".to_owned(), text_value("2"))]).into());
    dependencies(kept, &mut manifest);
    manifest.insert("features".into(), features(kept).into());
    patches(kept, &mut manifest);
    toml::to_string(&manifest).unwrap_or_default()
}

/// The name of the library, or of the program that is probed as one.
pub(super) fn crate_name(package: &Package) -> String {
    let library =
        package.targets.iter().find(|target| target.is_lib() || target.is_cdylib() || target.is_staticlib());
    library.map_or_else(|| package.name.replace('-', "_"), |target| target.name.replace('-', "_"))
}

fn wanted<'a>(kept: &'a Kept) -> impl Iterator<Item = &'a Dependency> {
    let build = kept.build_script.is_some();
    kept.package.dependencies.iter().filter(move |dependency| match dependency.kind {
        DependencyKind::Normal => true,
        DependencyKind::Build => build,
        _ => false,
    })
}

fn dependencies(kept: &Kept, manifest: &mut Table) {
    for dependency in wanted(kept) {
        let section =
            if dependency.kind == DependencyKind::Build { "build-dependencies" } else { "dependencies" };
        let table = match &dependency.target {
            Some(platform) => child(child(manifest, "target"), &platform.to_string()),
            None => &mut *manifest,
        };
        let name = dependency.rename.as_deref().unwrap_or(&dependency.name);
        child(table, section).insert(name.to_owned(), specification(dependency).into());
    }
}

fn specification(dependency: &Dependency) -> Table {
    let mut table = Table::new();
    if dependency.rename.is_some() {
        table.insert("package".into(), text_value(&dependency.name));
    }
    table.insert("version".into(), text_value(dependency.req.to_string()));
    table.insert("features".into(), list(dependency.features.iter()));
    table.insert("default-features".into(), dependency.uses_default_features.into());
    table.insert("optional".into(), dependency.optional.into());
    if let Some(path) = &dependency.path {
        table.insert("path".into(), text_value(path.as_str()));
    } else if let Some(registry) = &dependency.registry {
        table.insert("registry-index".into(), text_value(registry));
    } else if let Some(git) = dependency.source.as_ref().and_then(|source| source.repr.strip_prefix("git+")) {
        let (url, query) =
            git.split_once('#').map_or(git, |(before, _)| before).split_once('?').unwrap_or((git, ""));
        table.insert("git".into(), text_value(url));
        for (key, value) in query.split('&').filter_map(|pair| pair.split_once('=')) {
            table.insert(key.to_owned(), text_value(value));
        }
    }
    table
}

/// The features, without what they enable in dependencies that are left out.
fn features(kept: &Kept) -> Table {
    let names: BTreeSet<&str> =
        wanted(kept).map(|dependency| dependency.rename.as_deref().unwrap_or(&dependency.name)).collect();
    let stays = |effect: &&String| match effect.strip_prefix("dep:") {
        Some(name) => names.contains(name),
        None => effect.split_once('/').is_none_or(|(name, _)| names.contains(name.trim_end_matches('?'))),
    };
    let entry = |(name, effects): (&String, &Vec<String>)| (name.clone(), list(effects.iter().filter(stays)));
    kept.package.features.iter().map(entry).collect()
}

/// How a panic ends.
fn panic(kept: &Kept) -> String {
    let said = || {
        let manifest: Table = std::fs::read_to_string(kept.workspace).ok()?.parse().ok()?;
        Some(manifest.get("profile")?.get("release")?.get("panic")?.as_str()?.to_owned())
    };
    match kept.asks_panic {
        true => said().unwrap_or_else(|| "unwind".to_owned()),
        false => "abort".to_owned(),
    }
}

/// `[patch]` of the user's workspace, with absolute paths.
fn patches(kept: &Kept, manifest: &mut Table) {
    let text = std::fs::read_to_string(kept.workspace).unwrap_or_default();
    let Some(Value::Table(mut patches)) = text.parse::<Table>().ok().and_then(|mut all| all.remove("patch"))
    else {
        return;
    };
    let folder = kept.workspace.parent().unwrap_or(Path::new(""));
    for packages in patches.iter_mut().filter_map(|(_, value)| value.as_table_mut()) {
        for package in packages.iter_mut().filter_map(|(_, value)| value.as_table_mut()) {
            if let Some(Value::String(path)) = package.get_mut("path") {
                *path = folder.join(&*path).to_string_lossy().into_owned();
            }
        }
    }
    manifest.insert("patch".into(), patches.into());
}

fn child<'a>(table: &'a mut Table, key: &str) -> &'a mut Table {
    let value = table.entry(key).or_insert_with(|| Value::Table(Table::new()));
    if !value.is_table() {
        *value = Value::Table(Table::new());
    }
    match value {
        Value::Table(table) => table,
        _ => unreachable!("it has just been made a table"),
    }
}

fn text_value(text: impl AsRef<str>) -> Value {
    Value::String(text.as_ref().to_owned())
}

fn list(items: impl Iterator<Item = impl AsRef<str>>) -> Value {
    Value::Array(items.map(text_value).collect())
}
