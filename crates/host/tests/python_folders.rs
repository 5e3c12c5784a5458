//! Python handlers in folders of their own, each with its modules.
#![cfg(feature = "python")]

mod python_support;

use python_support::{python, spec, turn, written};
use std::fs;
use std::path::{Path, PathBuf};
use upcall::Harness;
use upcall_host::Host;

/// A folder of this test's own, with these files.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    for (file, text) in files {
        let file = format!("{name}/{file}");
        let parent = Path::new(&file).parent().unwrap();
        fs::create_dir_all(written("made.txt", "").with_file_name(parent)).unwrap();
        written(&file, text);
    }
    written("made.txt", "").with_file_name(name)
}

/// What handler `Says` of `says.py` in each folder emits for a word, in turn.
fn said(folders: &[&Path], words: &[&str]) -> Vec<Vec<String>> {
    let (_turn, python) = (turn(), python());
    let load = |folder: &Path| python.load(&spec(folder.join("says.py"), "Says"));
    let modules: Vec<_> =
        folders.iter().map(|folder| load(folder).unwrap_or_else(|error| panic!("{error}"))).collect();
    let mut all = Vec::new();
    python.worker(&mut || {
        let made = modules.iter().map(|module| Harness::of(module.instantiate().unwrap()));
        let mut harnesses: Vec<Harness> = made.map(|harness| harness.emits(&["/out"])).collect();
        for word in words {
            for harness in &mut harnesses {
                harness.put(word.as_bytes(), b"").unwrap_or_else(|failed| panic!("{word}: {failed:?}"));
            }
        }
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        all = harnesses
            .iter()
            .map(|harness| harness.emitted().iter().map(|emitted| text(&emitted.value)).collect())
            .collect();
    });
    all
}

const SAYS: &str = r#"
import importlib, pickle, sys, threading
import helper
import parts.one
from parts import two
from helper import NAME as FROM
from . import helper as relative
import json

class Says:
    def on_object(self, obj, emit):
        emit(obj.key, str(getattr(self, obj.key.decode())()))

    def imported(self): return helper.NAME, FROM, relative is helper, helper.__name__
    def late(self):
        import late
        return late.NAME
    def nested(self): return parts.one.NAME, two.NAME, two.__package__.partition(".")[2]
    def dynamic(self):
        named = importlib.import_module("helper"), importlib.import_module("parts.two")
        return named[0] is helper, named[1] is two, __import__("helper") is helper
    def by_name(self):
        there = sys.modules["helper"]
        return there.NAME, vars(there)["NAME"], sys.modules[__name__].Says is Says
    def pickled(self):
        data = pickle.dumps(helper.Point(1))
        return b"helper" in data and b"upcall:" not in data, type(pickle.loads(data)) is helper.Point
    def reloaded(self):
        return importlib.reload(helper) is helper, helper.NAME, helper.__name__
    def threads(self):
        found = []
        def work():
            import in_thread
            found.append((in_thread.NAME, pickle.loads(pickle.dumps(helper.Point(2))).x))
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        return found
    def shared(self):
        import numpy, json as again
        return numpy is sys.modules["numpy"], again is json, hasattr(json, "dumps")
    def missing(self):
        try:
            import only_here
        except ModuleNotFoundError as error:
            return error.name, str(error)
        return only_here.NAME
    def absent(self):
        try:
            import parts.absent
        except ModuleNotFoundError as error:
            return error.name, str(error)
    def annotated(self): return [field.type for field in helper.fields()]
"#;

const HELPER: &str = r#"
from __future__ import annotations
import dataclasses
NAME = "OF"

@dataclasses.dataclass
class Point:
    x: int

def fields(): return dataclasses.fields(Point)
"#;

#[test]
fn two_folders_have_their_own_modules_of_the_same_names() {
    let make = |of: &str| {
        let name = format!("NAME = '{of}'\n");
        let helper = HELPER.replace("OF", of);
        let mut files = vec![
            ("says.py", SAYS),
            ("helper.py", &helper),
            ("late.py", &name),
            ("in_thread.py", &name),
            ("json.py", "raise RuntimeError('Python has one of this name')\n"),
            ("parts/__init__.py", ""),
            ("parts/one.py", "from .two import NAME\n"),
            ("parts/two.py", &name),
        ];
        if of == "a" {
            files.push(("only_here.py", &name));
        }
        folder(of, &files)
    };
    let (a, b) = (make("a"), make("b"));
    let words = [
        "imported", "late", "nested", "dynamic", "by_name", "pickled", "reloaded", "threads", "shared",
        "missing", "absent", "annotated",
    ];
    let said = said(&[&a, &b], &words);
    for (of, said) in ["a", "b"].iter().zip(&said) {
        let missing = match *of {
            "a" => "a".to_owned(),
            _ => "('only_here', \"No module named 'only_here'\")".to_owned(),
        };
        let expected = [
            format!("('{of}', '{of}', True, 'helper')"),
            (*of).to_owned(),
            format!("('{of}', '{of}', 'parts')"),
            "(True, True, True)".into(),
            format!("('{of}', '{of}', True)"),
            "(True, True)".into(),
            format!("(True, '{of}', 'helper')"),
            format!("[('{of}', 2)]"),
            "(True, True, True)".into(),
            missing,
            "('parts.absent', \"No module named 'parts.absent'\")".into(),
            "['int']".into(),
        ];
        assert_eq!(said[..], expected, "in folder {of}");
    }
}

#[test]
fn handlers_of_one_folder_share_its_modules() {
    let counts = "COUNT = []\n";
    let says = "import counts\nclass Says:\n    def on_object(self, obj, emit):\n        counts.COUNT.append(1)\n        \
                emit(b'', str(len(counts.COUNT)))\n";
    let shared = folder("shared", &[("says.py", says), ("counts.py", counts)]);
    assert_eq!(said(&[&shared, &shared], &["x"]), [["1"], ["2"]]);
}
