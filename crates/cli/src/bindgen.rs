//! `upcall bindgen`: bindings for an API, from the command line or a TOML file.

use crate::arguments::Bindgen;
use crate::{output, signals};
use std::io::{IsTerminal, stderr};
use std::path::Path;
use std::sync::mpsc;
use upcall_bindgen::{
    Config, Diagnostics, Generated, Output, Severity, Step, Stop, build, c, check, generate, rust,
};

pub(crate) fn bindgen(arguments: Bindgen) -> anyhow::Result<u8> {
    let mut diagnostics = Diagnostics::default();
    let config = config(&arguments, &mut diagnostics);
    let generated = config.as_ref().and_then(|config| generate(config, &mut diagnostics));
    let said = diagnostics.render(stderr().is_terminal());
    if let Some(said) = said.strip_suffix('\n') {
        output::error(said);
    }
    let (Some(config), Some(generated)) = (config, generated) else {
        let errors = diagnostics.list.iter().filter(|said| said.severity == Severity::Error).count();
        output::error(format!(
            "nothing was written: {errors} {}",
            if errors == 1 { "error" } else { "errors" }
        ));
        return Ok(1);
    };
    let written = match generated.write() {
        Ok(written) => written,
        Err((path, error)) => {
            output::error(format!("error: writing {}: {error}\nnothing was written", path.display()));
            return Ok(1);
        }
    };
    for path in &written.changed {
        output::line(path.display())?;
    }
    let api = &generated.apis[0];
    let bound = format!(
        "{} functions, {} types, {} constants",
        api.functions.len(),
        api.types.len(),
        api.constants.len()
    );
    let what = match api.packed.len() {
        0 => bound,
        packed if api.only_packs() => format!("{packed} packed types"),
        packed => format!("{bound}, {packed} packed types"),
    };
    let (changed, unchanged) = (written.changed.len(), written.unchanged.len());
    let left_out = match diagnostics.left_out() {
        0 => String::new(),
        count => format!(", {count} left out"),
    };
    let removed = match written.removed.len() {
        0 => String::new(),
        count => format!(", {count} removed"),
    };
    output::error(format!("{what}{left_out}: {changed} files written, {unchanged} unchanged{removed}"));
    match arguments.build || arguments.check {
        true => afterwards(&arguments, &config, &generated),
        false => Ok(0),
    }
}

/// What was asked for besides the output itself.
fn afterwards(arguments: &Bindgen, config: &Config, generated: &Generated) -> anyhow::Result<u8> {
    let stop = Stop::default();
    let (tell, signals) = mpsc::channel();
    let stopping = stop.clone();
    signals::listen(move |signal| {
        let _ = tell.send(signal);
        stopping.stop();
    })?;
    let mut report = |step: Step| output::error(step);
    let built = !arguments.build || build(config, generated, &stop, &mut report);
    let right = !arguments.check
        || stop.stopped()
        || check::run(config, generated, &check::folder(), &stop, &mut report);
    match signals.try_recv() {
        Ok(signal) => Ok(signals::exit_code(signal)),
        Err(_) => Ok(u8::from(!(built && right))),
    }
}

/// The file's settings, if there is one, with those of the command line on top.
fn config(arguments: &Bindgen, diagnostics: &mut Diagnostics) -> Option<Config> {
    let mut config = match &arguments.config {
        Some(path) => Config::read(path, diagnostics)?,
        None => Config::default(),
    };
    if let Some(library) = &arguments.library {
        config.library.clone_from(library);
    }
    config.targets.extend(arguments.target.iter().cloned());
    if let Some(symbols) = &arguments.symbols {
        config.symbols = Some(symbols.clone());
    }
    config.rename.extend(arguments.rename.iter().cloned());
    config.skip_unsupported |= arguments.skip_unsupported;
    if !arguments.rust.is_empty() {
        let rust = config.rust.get_or_insert_with(rust::Input::default);
        rust.files.extend(arguments.rust.iter().cloned());
    }
    match &mut config.rust {
        Some(rust) => {
            rust.features.extend(arguments.features.iter().cloned());
            rust.edition = arguments.edition.clone().or(rust.edition.take());
        }
        None if arguments.features.is_empty() && arguments.edition.is_none() => {}
        None => {
            let message = "--feature and --edition are for Rust, and none is read";
            diagnostics.error(None, message, "name a file: --rust src/lib.rs");
            return None;
        }
    }
    if !arguments.header.is_empty() {
        let c = config.c.get_or_insert_with(c::Input::default);
        c.headers.extend(arguments.header.iter().cloned());
    }
    match &mut config.c {
        Some(c) => {
            c.include.extend(arguments.include.iter().cloned());
            c.define.extend(arguments.define.iter().cloned());
        }
        None if arguments.include.is_empty() && arguments.define.is_empty() => {}
        None => {
            let message = "--include and --define are for C headers, and none is read";
            diagnostics.error(None, message, "name one: --header api.h");
            return None;
        }
    }
    set(&mut config.csharp, arguments.csharp.as_deref());
    set(&mut config.python, arguments.python.as_deref());
    set(&mut config.typescript, arguments.typescript.as_deref());
    set(&mut config.java, arguments.java.as_deref());
    set(&mut config.layouts, arguments.layouts.as_deref());
    set(&mut config.header, arguments.c.as_deref());
    match &mut config.csharp {
        Some(csharp) => csharp.options.memorypack |= arguments.memorypack,
        None if !arguments.memorypack => {}
        None => {
            let message = "--memorypack is for C#, and none is written";
            diagnostics.error(None, message, "name a file: --csharp bindings/Native.g.cs");
            return None;
        }
    }
    if config.reads_nothing() {
        diagnostics.error(None, "there is nothing to read", "name a Rust file or a C header");
        return None;
    }
    if config.writes_nothing() {
        let help = "say where: --csharp, --python, --typescript, --java, --c or --layouts, or sections of the TOML file";
        diagnostics.error(None, "there is nothing to write", help);
        return None;
    }
    Some(config)
}

fn set<O: Default>(output: &mut Option<Output<O>>, path: Option<&Path>) {
    if let Some(path) = path {
        output.get_or_insert_with(Output::default).output = path.to_path_buf();
    }
}
