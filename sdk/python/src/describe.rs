//! What a handler says of itself before it is opened, beside its kind and its types: what its class lists.

use crate::py::{self, Outcome, Ref};
use crate::support;
use upcall_abi::DescribeWriter;

/// The settings that the handler understands.
pub fn parameters(handler: &Ref, describe: &mut DescribeWriter<'_>) -> Outcome<()> {
    let parameters = support::call(c"parameters", &[handler])?;
    for index in 0..py::len(&parameters)? {
        let parameter = py::item(&parameters, index)?;
        let part = |index| py::item(&parameter, index);
        let (name, of, default, range) = (part(0)?, part(1)?, part(2)?, part(3)?);
        describe.parameter(name.text()?, of.text()?, given(&default)?, given(&range)?);
    }
    Ok(())
}

/// The text, if it is not `None`.
fn given(text: &Ref) -> Outcome<Option<&str>> {
    if text.is_none() { Ok(None) } else { text.text().map(Some) }
}
