//! Greets whoever a line names.

use upcall::{Emit, Failure, Object, TypedHandler};

struct Greeter;

impl TypedHandler for Greeter {
    type In<'a> = str;
    type Out = str;

    fn on_value(
        &mut self,
        object: Object<'_>,
        name: &str,
        emit: &mut Emit<'_, str>,
    ) -> Result<(), Failure> {
        if name.trim().is_empty() {
            return Err(Failure::new("nobody is named"));
        }
        emit.put(object.key(), &format!("Hello, {name}!"));
        Ok(())
    }
}

upcall::handlers! { "greeter" => upcall::typed(Greeter) }

#[cfg(test)]
mod tests {
    use super::*;
    use upcall::Harness;

    fn harness() -> Harness {
        Harness::new(upcall::typed(Greeter)).emits(&["/greetings"])
    }

    #[test]
    fn a_name_is_greeted() {
        let mut harness = harness();
        harness.put(b"1", b"Ada").unwrap();
        assert_eq!(harness.emitted()[0].value, b"Hello, Ada!");
    }

    #[test]
    fn a_blank_line_fails() {
        let mut harness = harness();
        let failed = harness.put(b"1", b" ").unwrap_err();
        assert_eq!(failed.message, "nobody is named");
        assert!(harness.emitted().is_empty());
    }
}
