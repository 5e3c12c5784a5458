//! Handlers of this program: what becomes of a constructor that fails.

use upcall::{Emit, Object};
use upcall_host::{ErrorKind, in_process};

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
