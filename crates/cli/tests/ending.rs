//! How a run ends when a part of it fails: whatever is complete is written, and the exit code says that not all is.

use crate::support::{Folder, code, fed, pools, upcall};

/// A handler in Python whose flush fails, beside one that is well.
const FLUSHES: &str = "
class Fails:
    def on_object(self, obj, emit):
        emit(obj.key, obj.value)

    def flush(self, emit):
        raise ValueError('no flush, please')

class Passes:
    def on_object(self, obj, emit):
        emit(obj.key, obj.value)
";

#[test]
fn each_flush_that_fails_is_told_once() {
    let folder = Folder::new("");
    let file = folder.write("flushes.py", FLUSHES);
    let flow = pools(&["/in", "/one", "/two"])
        + &code("python", file.as_ref(), "Fails", "/in", "/one", "").replace("Fails on", "first on")
        + &code("python", file.as_ref(), "Fails", "/in", "/two", "").replace("Fails on", "second on");
    let path = folder.write("flow.toml", flow);
    let outcome = fed(&mut upcall(&["run", &path, "--input", "/in=-"]), b"a\n");
    assert_eq!(outcome.code, Some(1), "{}", outcome.err);
    for handler in ["first", "second"] {
        let told = format!("handler {handler} on /in failed when the input had ended: ");
        assert_eq!(outcome.err.matches(&told).count(), 1, "{}", outcome.err);
    }
}

#[test]
fn a_flush_that_fails_keeps_no_pool_from_being_dumped() {
    let folder = Folder::new("");
    let file = folder.write("flushes.py", FLUSHES);
    let flow = pools(&["/in", "/bad", "/good"])
        + &code("python", file.as_ref(), "Fails", "/in", "/bad", "")
        + &code("python", file.as_ref(), "Passes", "/in", "/good", "").replace("Passes on", "good on");
    let path = folder.write("flow.toml", flow);
    let (good, bad) = (format!("/good={}", folder.path("good")), format!("/bad={}", folder.path("bad")));
    let outcome =
        fed(&mut upcall(&["run", &path, "--input", "/in=-", "--dump", &good, "--dump", &bad]), b"a\nb\n");
    assert_eq!(outcome.code, Some(1), "{}", outcome.err);
    assert!(outcome.err.contains("no flush, please"), "{}", outcome.err);
    assert!(outcome.err.contains("hold only what was handled before the failure"), "{}", outcome.err);
    assert_eq!(folder.read("good"), "1\ta\n2\tb\n");
    assert_eq!(folder.read("bad"), "1\ta\n2\tb\n");
    assert!(
        outcome.out.contains("2 workers") || outcome.out.contains(" held by the flow"),
        "{}",
        outcome.out
    );
}
