//! What the packers of the other languages are compared with: Rust's own read and write the same lines.

#[allow(dead_code, reason = "each language uses its part")]
mod packers;

use packers::fixture::types::{Node, Person, Vt};
use packers::fixture::{Everything, types::Log};
use upcall_pack::{Graph, Options, Pack, Ref, Text, Unpack};

fn rewritten<T: Pack + for<'a> Unpack<'a>>(bytes: &[u8], utf16: bool) -> Option<Vec<u8>> {
    let value: T = upcall_pack::from_slice(bytes).ok()?;
    let text = if utf16 { Text::Utf16 } else { Text::Utf8 };
    Some(Options::new().text(text).to_vec(&value).expect("what was read can be written"))
}

#[test]
fn rust_reads_and_writes_the_lines_that_no_packer_wrote_as_the_other_languages_do() {
    let mut tried = 0;
    for line in packers::lines() {
        let bytes: Vec<u8> = (0..line.hex.len() / 2)
            .map(|at| u8::from_str_radix(&line.hex[2 * at..2 * at + 2], 16).expect("digits"))
            .collect();
        let written = match &*line.ty {
            "Person" => rewritten::<Option<Person>>(&bytes, line.utf16()),
            "Vt" => rewritten::<Option<Vt>>(&bytes, line.utf16()),
            "Log" => rewritten::<Log>(&bytes, line.utf16()),
            "Everything" => rewritten::<Everything>(&bytes, line.utf16()),
            "Node" => rewritten::<Graph<Option<Ref<Node>>>>(&bytes, line.utf16()),
            _ => continue,
        };
        let hex: String = written.unwrap_or_default().iter().map(|byte| format!("{byte:02X}")).collect();
        assert_eq!(hex, line.written, "{}: {}", line.ty, line.name);
        tried += 1;
    }
    assert!(tried > 100);
}
