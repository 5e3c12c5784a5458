//! The manifest of the scratch package.

use cargo_metadata::{Dependency, DependencyKind, Package};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

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
    let mut manifest = json!({
        "package": {
            "name": package.name,
            "version": package.version,
            "edition": package.edition,
            "authors": package.authors,
            "autobins": false,
            "autoexamples": false,
            "autotests": false,
            "autobenches": false,
            "description": package.description,
            "homepage": package.homepage,
            "repository": package.repository,
            "license": package.license,
            "links": package.links.as_ref().filter(|_| kept.build_script.is_some()),
            "build": kept.build_script.map_or(json!(false), |path| json!(path.to_string_lossy())),
        },
        "lib": { "name": crate_name(package), "path": kept.root.to_string_lossy(), "crate-type": [kept.crate_type] },
        "profile": {
            "dev": {
                "debug": false,
                "opt-level": 0,
                "codegen-units": 1,
                "incremental": false,
                "panic": panic(kept),
                "debug-assertions": kept.debug_assertions,
            },
        },
        "workspace": { "resolver": "2" },
        "features": features(kept),
        "patch": patches(kept),
    });
    for dependency in wanted(kept) {
        let table = match &dependency.target {
            Some(platform) => &mut manifest["target"][platform.to_string()],
            None => &mut manifest,
        };
        let build = dependency.kind == DependencyKind::Build;
        let section = if build { "build-dependencies" } else { "dependencies" };
        table[section][name(dependency)] = specification(dependency);
    }
    without_nulls(&mut manifest);
    toml::to_string(&manifest).unwrap_or_default()
}

/// TOML has no form of them.
fn without_nulls(value: &mut Value) {
    for object in value.as_object_mut().into_iter() {
        object.retain(|_, value| !value.is_null());
        object.values_mut().for_each(without_nulls);
    }
}

/// The name of the library, or of the program that is probed as one.
fn crate_name(package: &Package) -> String {
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

fn name(dependency: &Dependency) -> &str {
    dependency.rename.as_deref().unwrap_or(&dependency.name)
}

fn specification(dependency: &Dependency) -> Value {
    let mut about = json!({
        "package": dependency.rename.as_ref().map(|_| &dependency.name),
        "version": dependency.req,
        "features": dependency.features,
        "default-features": dependency.uses_default_features,
        "optional": dependency.optional,
    });
    if let Some(path) = &dependency.path {
        about["path"] = json!(path);
    } else if let Some(registry) = &dependency.registry {
        about["registry-index"] = json!(registry);
    } else if let Some(git) = dependency.source.as_ref().and_then(|source| source.repr.strip_prefix("git+")) {
        let (url, query) =
            git.split_once('#').map_or(git, |(before, _)| before).split_once('?').unwrap_or((git, ""));
        about["git"] = json!(url);
        for (key, value) in query.split('&').filter_map(|pair| pair.split_once('=')) {
            about[key] = json!(value);
        }
    }
    about
}

/// The features, without what they enable in dependencies that are left out.
fn features(kept: &Kept) -> Map<String, Value> {
    let names: BTreeSet<&str> = wanted(kept).map(name).collect();
    let stays = |effect: &&String| match effect.strip_prefix("dep:") {
        Some(name) => names.contains(name),
        None => effect.split_once('/').is_none_or(|(name, _)| names.contains(name.trim_end_matches('?'))),
    };
    let all = kept.package.features.iter();
    all.map(|(name, effects)| (name.clone(), effects.iter().filter(stays).cloned().collect())).collect()
}

/// How a panic ends.
fn panic(kept: &Kept) -> String {
    let said = || workspace(kept)["profile"]["release"]["panic"].as_str().map(str::to_owned);
    match kept.asks_panic {
        true => said().unwrap_or_else(|| "unwind".to_owned()),
        false => "abort".to_owned(),
    }
}

/// `[patch]` of the user's workspace, with absolute paths.
fn patches(kept: &Kept) -> Value {
    let mut patches = workspace(kept)["patch"].take();
    let folder = kept.workspace.parent().unwrap_or(Path::new(""));
    for packages in patches.as_object_mut().into_iter().flat_map(Map::values_mut) {
        for package in packages.as_object_mut().into_iter().flat_map(Map::values_mut) {
            if let Some(Value::String(path)) = package.get_mut("path") {
                *path = folder.join(&*path).to_string_lossy().into_owned();
            }
        }
    }
    patches
}

fn workspace(kept: &Kept) -> Value {
    let text = fs::read_to_string(kept.workspace).unwrap_or_default();
    toml::from_str(&text).unwrap_or_default()
}
