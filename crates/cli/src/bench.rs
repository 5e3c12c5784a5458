//! `upcall bench`.

use crate::arguments::Boundary;
use crate::output;
use anyhow::Context;
use std::process::Command;
use upcall_measure::{self as measure, Guest};

pub(crate) fn boundary(arguments: Boundary) -> anyhow::Result<u8> {
    let guests = &arguments.guests;
    let options = guests.options();
    if let Some(name) = &arguments.start {
        let guest = Guest::named(name).with_context(|| format!("starting {name}: no such guest"))?;
        output::line(measure::start(guest, &options)?)?;
        return Ok(0);
    }
    let program = std::env::current_exe().context("finding this program")?;
    let mut isolated = Guest::ISOLATED.to_vec();
    let names = |isolated: &[Guest]| isolated.iter().map(|guest| guest.name()).collect::<Vec<_>>();
    let processes = guests.processes(&names(&isolated)).or_else(|why| {
        output::error(format!("warning: handlers in JavaScript are not measured: {why}"));
        isolated.retain(|guest| *guest != Guest::Node);
        guests.processes(&names(&isolated))
    })?;
    let boundary = measure::boundary(
        &options,
        |guest| {
            let mut command = Command::new(&program);
            command.args(["bench", "boundary", "--start", guest.name()]);
            guests.pass_on(&mut command);
            command
        },
        &processes,
        &isolated,
    )?;
    match arguments.json {
        true => output::line(serde_json::to_string(&boundary)?)?,
        false => output::all(measure::table(&boundary))?,
    }
    Ok(0)
}
