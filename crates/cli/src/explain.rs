//! `upcall explain`.

use crate::arguments::Explain;
use crate::exit::usage;
use crate::output;
use upcall_config::keys;

pub(crate) fn explain(explain: &Explain) -> anyhow::Result<u8> {
    if explain.keys.is_empty() {
        output::line(format!("{}upcall explain KEY says more about one of them.", keys::list()))?;
        return Ok(0);
    }
    let mut shown: Vec<String> = Vec::new();
    for asked in &explain.keys {
        let found = keys::find(asked).map_err(|nearest| {
            let help = match nearest {
                Some(near) => format!("did you mean {near}?"),
                None => "`upcall explain` lists all".to_owned(),
            };
            usage(format!("explain {asked}: a flow's file has no such key; {help}"))
        })?;
        shown.extend(found.into_iter().map(keys::explain));
    }
    output::all(shown.join("\n"))?;
    Ok(0)
}
