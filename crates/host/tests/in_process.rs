//! Handlers of this program: what they say of themselves, and what becomes of a constructor that fails.

use upcall::{Describe, Emit, Failure, Handler, Object};
use upcall_host::{ErrorKind, describe, in_process};

/// A panic's payload whose own destructor panics.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("dropped");
    }
}

fn nothing(_: Object<'_>, _: &mut Emit<'_>) -> Result<(), upcall::Failure> {
    Ok(())
}

#[test]
fn an_empty_default_of_a_setting_is_not_the_same_as_none() {
    struct Set;
    impl Handler for Set {
        fn describe(&self, describe: &mut Describe<'_>) {
            for default in [Some("10"), None, Some("")] {
                describe.parameter("prefix", "text", default, None);
            }
        }
        fn on_object(&mut self, _: Object<'_>, _: &mut Emit<'_>) -> Result<(), Failure> {
            Ok(())
        }
    }
    let said = describe(&mut in_process::module(|| Set).instantiate().unwrap()).unwrap();
    let defaults: Vec<Option<&str>> = said.parameters.iter().map(|of| of.default.as_deref()).collect();
    assert_eq!(defaults, [Some("10"), None, Some("")]);
    assert!(said.takes.is_none() && said.gives.is_empty());
}

#[test]
fn a_constructor_that_panics_is_an_error_with_its_message() {
    let module = in_process::module(|| {
        if true {
            panic!("no such table");
        }
        nothing
    });
    let error = module.instantiate().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ConstructorFailed);
    assert_eq!(error.to_string(), "make a handler: its constructor panicked: no such table");
}

#[test]
fn a_constructor_whose_panic_panics_again_is_an_error_like_any_other() {
    let module = in_process::module(|| {
        if true {
            std::panic::panic_any(Bomb);
        }
        nothing
    });
    let error = module.instantiate().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ConstructorFailed);
}
