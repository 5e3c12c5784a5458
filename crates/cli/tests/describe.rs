//! `upcall describe`: what handlers of each language say of themselves, and what cannot be asked.

use crate::support::{root, run, upcall};

/// What is printed of a handler of an example.
fn described(file: &str, class: &str) -> String {
    let outcome = run(upcall(&["describe", file, class]).current_dir(root().join("examples")));
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    outcome.out
}

#[test]
fn handlers_of_each_language_say_what_they_are() {
    for (file, class) in [
        ("wordcount/build/libwordcount.so", "splitter"),
        ("wordcount/build/wordcount.dll", "WordCount.Splitter"),
        ("wordcount/wordcount.py", "Splitter"),
    ] {
        let expected = format!(
            "{class} of {file}\n  kind       FLOW, one object at a time\n  takes      any bytes\n  gives      any bytes\n"
        );
        assert_eq!(described(file, class), expected);
    }
    // As a flow's file may name it.
    let library = described("wordcount/build/wordcount", "splitter");
    assert!(library.starts_with("splitter of wordcount/build/wordcount\n  kind       FLOW"), "{library}");
    for (file, class) in [
        ("engine/build/libengine.so", "peaks"),
        ("engine/build/engine.dll", "Peaks"),
        ("engine/peaks.py", "Peaks"),
    ] {
        let said = described(file, class);
        assert!(said.contains("\n  kind       COMBINE\n  takes      f64, 8 bytes\n"), "{said}");
        assert_eq!(said.contains("commutative"), class == "Peaks", "{said}");
    }
}

#[test]
fn what_a_python_handler_is_annotated_with_is_what_it_takes() {
    let handler = "\
import upcall

class Doubles:
    parameters = {'prefix': upcall.Parameter('text', default=''), 'times': upcall.Parameter('u64')}

    def on_object(self, obj: upcall.Object[int], emit: upcall.Emit[float | bytes]) -> None:
        emit(obj.key, obj.value * 2.0)
";
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(folder.join("doubles.py"), handler).unwrap();
    let outcome = run(upcall(&["describe", "doubles.py", "Doubles"]).current_dir(folder));
    let expected = "\
Doubles of doubles.py
  kind       FLOW, one object at a time
  takes      int, as the pool's number type
  gives      float, as the pool's number type
  gives      any bytes
  setting    prefix: text, empty by default
  setting    times: u64
";
    assert_eq!(outcome.out, expected, "{}", outcome.err);
}

#[test]
fn a_description_is_one_line_of_json() {
    let arguments = ["describe", "--json", "engine/peaks.py", "Peaks"];
    let outcome = run(upcall(&arguments).current_dir(root().join("examples")));
    assert_eq!(outcome.out.lines().count(), 1, "{}", outcome.err);
    let json: serde_json::Value = serde_json::from_str(&outcome.out).unwrap();
    assert_eq!((&json["kind_name"], &json["takes"]["size"]), (&"COMBINE".into(), &8.into()));
}

#[test]
fn what_cannot_be_asked_is_said_with_its_reason() {
    for (file, class, code, why) in [
        ("notes.txt", "Notes", 2, "describe notes.txt: its name does not tell the language"),
        (
            "build/none",
            "Notes",
            2,
            "describe build/none: as a native library it would be build/libnone.so, which is not there; build it, or name one of",
        ),
        ("engine/peaks.py", "Peak", 1, "did you mean Peaks?"),
        ("engine/none.py", "Peaks", 1, "engine/none.py"),
    ] {
        let outcome = run(upcall(&["describe", file, class]).current_dir(root().join("examples")));
        assert_eq!(outcome.code, Some(code), "{}", outcome.err);
        assert!(outcome.err.contains(why), "{}", outcome.err);
    }
}
