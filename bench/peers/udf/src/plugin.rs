//! The function as a plugin of Extism, called for each row and for each batch.

use std::cell::RefCell;
use std::fs;

use anyhow::{Context, Result};
use extism::{Manifest, Plugin, Wasm};

use crate::{Touch, rows};

/// Both, from the module in this file.
pub fn all(module: &str) -> Result<[(&'static str, Touch); 2]> {
    let module = fs::read(module).with_context(|| format!("reading the plugin {module}"))?;
    let plugin = || -> Result<RefCell<Plugin>> {
        Ok(RefCell::new(Plugin::new(Manifest::new([Wasm::data(module.clone())]), [], false)?))
    };
    let (one, many) = (plugin()?, plugin()?);
    Ok([
        (
            "Extism, a call per row",
            Box::new(move |batch| {
                let (mut plugin, mut row) = (one.borrow_mut(), Vec::new());
                let mut answers = Vec::with_capacity(batch.num_rows() * 8);
                for (number, text) in rows::each(batch)? {
                    row.clear();
                    rows::write(&mut row, number, text);
                    answers.extend_from_slice(plugin.call::<_, &[u8]>("touch", &row)?);
                }
                rows::answers(&answers)
            }),
        ),
        (
            "Extism, a call per batch",
            Box::new(move |batch| {
                let mut written = Vec::new();
                rows::each(batch)?.for_each(|(number, text)| rows::write(&mut written, number, text));
                rows::answers(many.borrow_mut().call("touch", &written)?)
            }),
        ),
    ])
}
