//! The reference for the packers of the other languages: Rust's own reads and writes the same lines.

use bindgen_tests::packers;
use packers::fixture::types::{Log, Node, Person, Sdto, Vt};
use packers::fixture::wrappers::{W15, W17, W20, W26, W50, W84};
use packers::fixture::{Encoded, Everything, Grids, Held};
use upcall_pack::{Error, Graph, Options, Pack, Ref, Text, Unpack};

fn rewritten<T: Pack + for<'a> Unpack<'a>>(bytes: &[u8], text: &str) -> Result<Vec<u8>, Error> {
    let value: T = upcall_pack::from_slice(bytes)?;
    let text = match text {
        "utf16" => Text::Utf16,
        "utf8-without-length" => Text::Utf8WithoutLength,
        _ => Text::Utf8,
    };
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
            "Person" => rewritten::<Option<Person>>(&bytes, line.text()),
            "Vt" => rewritten::<Option<Vt>>(&bytes, line.text()),
            "Log" => rewritten::<Log>(&bytes, line.text()),
            "Everything" => rewritten::<Everything>(&bytes, line.text()),
            "Encoded" => rewritten::<Encoded>(&bytes, line.text()),
            "Grids" => rewritten::<Grids>(&bytes, line.text()),
            "Held" => {
                let held: Held<'_> = upcall_pack::from_slice(&bytes).expect("it is borrowed");
                Ok(upcall_pack::to_vec(&held).expect("what was read can be written"))
            }
            "W15" => rewritten::<Option<W15>>(&bytes, line.text()),
            // A set of more than one has no order.
            "W17" if line.name == "an item twice in a set" => rewritten::<Option<W17>>(&bytes, line.text()),
            "W20" => rewritten::<Option<W20>>(&bytes, line.text()),
            "W26" => rewritten::<Option<W26>>(&bytes, line.text()),
            "W50" => rewritten::<Option<W50>>(&bytes, line.text()),
            "W84" => rewritten::<Option<W84>>(&bytes, line.text()),
            "Sdto" => rewritten::<Sdto>(&bytes, line.text()),
            "Node" => rewritten::<Graph<Option<Ref<Node>>>>(&bytes, line.text()),
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
