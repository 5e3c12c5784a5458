//! The reference for the packers of the other languages: Rust's own reads and writes the same lines.

#[allow(dead_code, reason = "each language uses its part")]
mod packers;

use packers::fixture::Everything;
use packers::fixture::types::{Log, Node, Person, Sdto, Vt};
use packers::fixture::wrappers::{W15, W17, W20, W26, W50, W84};
use upcall_pack::{Error, Graph, Options, Pack, Ref, Text, Unpack};

fn rewritten<T: Pack + for<'a> Unpack<'a>>(bytes: &[u8], utf16: bool) -> Result<Vec<u8>, Error> {
    let value: T = upcall_pack::from_slice(bytes)?;
    let text = if utf16 { Text::Utf16 } else { Text::Utf8 };
    Ok(Options::new().text(text).to_vec(&value).expect("what was read can be written"))
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
            "W15" => rewritten::<Option<W15>>(&bytes, line.utf16()),
            // A set of more than one has no order.
            "W17" if line.name == "an item twice in a set" => rewritten::<Option<W17>>(&bytes, line.utf16()),
            "W20" => rewritten::<Option<W20>>(&bytes, line.utf16()),
            "W26" => rewritten::<Option<W26>>(&bytes, line.utf16()),
            "W50" => rewritten::<Option<W50>>(&bytes, line.utf16()),
            "W84" => rewritten::<Option<W84>>(&bytes, line.utf16()),
            "Sdto" => rewritten::<Sdto>(&bytes, line.utf16()),
            "Node" => rewritten::<Graph<Option<Ref<Node>>>>(&bytes, line.utf16()),
            _ => continue,
        };
        match (written, line.written.strip_prefix("error")) {
            (Err(error), Some(said)) => {
                let place = format!(" at byte {}", error.offset());
                assert!(said.is_empty() || place == said, "{}: {}: {error}", line.ty, line.name);
            }
            (Ok(bytes), None) => {
                let hex: String = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
                assert_eq!(hex, line.written, "{}: {}", line.ty, line.name);
            }
            (written, _) => panic!("{}: {}: {written:?}", line.ty, line.name),
        }
        tried += 1;
    }
    assert!(tried > 100);
}
