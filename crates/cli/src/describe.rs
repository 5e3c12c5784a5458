//! `upcall describe`: what a handler says of itself.

use crate::arguments::Describe;
use crate::exit::usage;
use crate::{guests, output};
use std::fmt::Write;
use upcall_host::{Description, HandlerSpec, Parameter, ValueShape, describe};

pub(crate) fn run(asked: &Describe) -> anyhow::Result<u8> {
    let Describe { file, class, json, guests: options } = asked;
    let shown = file.display();
    let (guest, file) = guests::of_file(file).map_err(|why| usage(format!("describe {shown}: {why}")))?;
    let host = guest.start(&options.options_for(&[guest.name])?)?;
    let name = class.rsplit('.').next().unwrap_or(class).to_owned();
    let module = host.load(&HandlerSpec::new(name, guest.name, file, class))?;
    let mut outcome = None;
    host.worker(&mut || {
        outcome = Some(module.instantiate().and_then(|mut instance| describe(&mut instance)));
    });
    let Some(described) = outcome else {
        anyhow::bail!("describe {class} of {shown}: the runtime ran nothing")
    };
    let described = described?;
    if *json {
        output::line(serde_json::to_string(&described)?)?;
    } else {
        output::all(format!("{class} of {shown}\n{}", text(&described)))?;
    }
    Ok(0)
}

fn text(described: &Description) -> String {
    let mut text = String::new();
    let mut row = |what: &str, value: &str| _ = writeln!(text, "  {what:<10} {value}");
    let form = match described.form.as_str() {
        "" => String::new(),
        "batch" => ", a batch at a time".to_owned(),
        "gather" => ", one vertex at a time, its neighbours put together".to_owned(),
        "interval" => ", an interval at a time".to_owned(),
        form => format!(", one {form} at a time"),
    };
    row("kind", &format!("{}{form}", described.kind_name));
    if described.kind != upcall_abi::kind::VERTEX {
        row("takes", &described.takes.as_ref().map_or("any bytes".to_owned(), shape));
    }
    if described.kind == upcall_abi::kind::FLOW && described.gives.is_empty() {
        row("gives", "any bytes");
    }
    described.gives.iter().for_each(|of| row("gives", &shape(of)));
    described.values.iter().for_each(|(which, of)| row(which, of));
    described.needs.iter().for_each(|what| row("needs", what));
    if !described.gather.is_empty() {
        row("gathers", &described.gather);
    }
    let promises = [(described.commutative, "commutative"), (described.answers_later, "may answer later")];
    for (_, promise) in promises.iter().filter(|(holds, _)| *holds) {
        row("is", promise);
    }
    described.arrays.iter().for_each(|(name, how)| row("array", &format!("{name}, {how}")));
    described.parameters.iter().for_each(|parameter| row("setting", &setting(parameter)));
    text
}

fn shape(of: &ValueShape) -> String {
    let ValueShape { name, size } = of;
    match (name.as_str(), size) {
        (_, Some(size)) => format!("{name}, {size} bytes"),
        ("int" | "float", None) => format!("{name}, as the pool's number type"),
        ("bytes", None) => "any bytes".to_owned(),
        _ => name.clone(),
    }
}

fn setting(parameter: &Parameter) -> String {
    let Parameter { name, of, default, range } = parameter;
    let default = match default.as_deref() {
        None => String::new(),
        Some("") => ", empty by default".to_owned(),
        Some(default) => format!(", {default} by default"),
    };
    let range = range.as_ref().map_or(String::new(), |range| format!(", {range}"));
    format!("{name}: {of}{default}{range}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_a_handler_says_is_shown() {
        let described = Description {
            kind: 16,
            kind_name: "FLOW".into(),
            form: "object".into(),
            takes: Some(ValueShape { name: "Reading".into(), size: Some(16) }),
            gives: ["Order", "int", "bytes"]
                .map(|name| ValueShape { name: name.into(), size: None })
                .to_vec(),
            answers_later: true,
            arrays: vec![("prices".into(), "read".into())],
            parameters: [(Some("10"), Some("1..=1000")), (Some(""), None), (None, None)]
                .map(|(default, range)| Parameter {
                    name: "every".into(),
                    of: "u64".into(),
                    default: default.map(Into::into),
                    range: range.map(Into::into),
                })
                .to_vec(),
            ..Description::default()
        };
        let shown = [
            "  kind       FLOW, one object at a time",
            "  takes      Reading, 16 bytes",
            "  gives      Order",
            "  gives      int, as the pool's number type",
            "  gives      any bytes",
            "  is         may answer later",
            "  array      prices, read",
            "  setting    every: u64, 10 by default, 1..=1000",
            "  setting    every: u64, empty by default",
            "  setting    every: u64",
        ];
        assert_eq!(text(&described).lines().collect::<Vec<_>>(), shown);
    }
}
