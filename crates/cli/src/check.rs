//! `upcall check`.

use crate::arguments::Check;
use crate::{log, output, project};
use upcall_config::Config;

pub(crate) fn check(check: Check) -> anyhow::Result<u8> {
    let Config { flow, java, .. } = Config::read(project::flow(&check.flow))?;
    let (name, pools, handlers) = (flow.name.clone(), flow.pools.len(), flow.handlers.len());
    let count = |count: usize, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
    let what = format!("{} and {}", count(pools, "pool"), count(handlers, "handler"));
    if check.load {
        log::start(None)?;
        project::ready(&check.flow, &flow);
        check.guests.with_java(java).start(flow)?.stop()?;
        output::line(format!("flow {name} may run: {what}, all loaded and opened"))?;
    } else {
        output::line(format!("flow {name} may run: {what}; nothing was loaded (--load does)"))?;
    }
    Ok(0)
}
