//! The Python packers pass `mypy --strict`, and read and write the golden bytes.

use bindgen_tests::{interpreter, packers};
use interpreter::python;
use std::fs;
use std::process::Command;
use upcall_bindgen::model::{Constant, Int, Ty, Value};
use upcall_bindgen::python::{Options, generate};
use upcall_bindgen::{Diagnostics, File};

fn said(command: &mut Command) -> (bool, String) {
    let output = command.output().expect("Python starts");
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&said).into_owned())
}

#[test]
fn the_packers_read_and_write_the_golden_bytes_and_refuse_all_else() {
    let folder = packers::folder("python");
    let mut diagnostics = Diagnostics::default();
    let options = Options { package: "fixture".into(), ..Options::default() };
    let mut files = generate(&packers::fixture(), &options, &mut diagnostics);
    assert_eq!(diagnostics.list, []);
    let names: Vec<String> = files.iter().map(|file| file.path.display().to_string()).collect();
    let expected = ["fixture/pack.py", "fixture/pack_runtime.py", "fixture/__init__.py", "fixture/py.typed"];
    assert_eq!(names, expected, "nothing but the packers: no library is looked for");
    files.push(packers::golden_json());
    files.push(File::new("program.py", include_str!("packers/program.py")));
    packers::put(&folder, &files);
    let (passed, text) =
        said(python().current_dir(&folder).args(["-m", "mypy", "--strict", "program.py", "fixture"]));
    assert!(passed, "{text}");
    let (passed, text) = said(python().current_dir(&folder).arg("program.py"));
    assert!(passed && text.contains("lines, nothing wrong"), "{text}");
    assert!(
        fs::read_to_string(folder.join("fixture/pack.py")).unwrap().starts_with("# Made by upcall bindgen")
    );
}

#[test]
fn names_and_docs_that_python_does_not_like_pass_the_type_checker() {
    let folder = packers::folder("python-awkward");
    let mut diagnostics = Diagnostics::default();
    let options = Options { package: "awkward".into(), ..Options::default() };
    let mut files = generate(&packers::awkward(), &options, &mut diagnostics);
    assert_eq!(diagnostics.list, []);
    files.push(File::new("program.py", AWKWARD));
    packers::put(&folder, &files);
    let (passed, text) =
        said(python().current_dir(&folder).args(["-m", "mypy", "--strict", "program.py", "awkward"]));
    assert!(passed, "{text}");
    let (passed, text) = said(python().current_dir(&folder).arg("program.py"));
    assert!(passed, "{text}");
}

/// Writes and reads back the types with the most awkward names.
const AWKWARD: &str = r#"
from awkward.pack import Buffer_String, Chain, Item_kind, Item_value, Map, Object, Set, list_

many = Map(item=Item_kind(Set(1, ("a", 2))), unpack_=None, tuple_=(3, 4))
whole = Map(item=Item_value(many), unpack_=many, dict_={"a": [1, 2]})
back = Map.unpack(whole.pack())
assert back.pack() == whole.pack() and back.unpack_ == Map.unpack(many.pack()), back
raw = list_(1, 2.5, None, [(True, None), (False, 3)])
assert list_.unpack(raw.pack()) == raw and len(raw.pack()) == 20, raw.pack().hex()
buffer = Buffer_String(of=["a"], keys=[raw], fixed=[["a"], []], deep=[None, [None, {"a": [(1, None)]}]])
assert Buffer_String.unpack(buffer.pack()).pack() == buffer.pack()
chain = Chain(item=Item_kind(Set()))
chain.next = chain
assert Chain.unpack(chain.pack()).next is not None
assert int(Object.None_) == 2**64 - 1 and int(Object.mro_) == 4
"#;

#[test]
fn beside_bindings_the_packers_are_a_package_that_opens_no_library() {
    let mut api = packers::fixture();
    api.library = "engine".into();
    api.constants.push(Constant {
        name: "LIMIT".into(),
        path: vec!["LIMIT".into()],
        ty: Ty::Int(Int::I32),
        value: Value::Int(3),
        docs: String::new(),
        place: Default::default(),
    });
    let files = generate(&api, &Options::default(), &mut Diagnostics::default());
    let has = |path: &str| files.iter().any(|file| file.path.ends_with(path));
    assert!(has("engine/__init__.py") && has("engine_pack/pack.py") && !has("engine/pack.py"));
    let packers = files.iter().filter(|file| file.path.starts_with("engine_pack"));
    assert!(packers.clone().count() == 4 && packers.into_iter().all(|file| !file.text.contains("ctypes")));
}
