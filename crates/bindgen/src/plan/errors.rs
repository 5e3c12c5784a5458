//! What functions fail with.

use crate::model::{Api, Function};

impl Api {
    /// The names of the error types that functions report, each once, in their order.
    #[must_use]
    pub fn errors(&self) -> Vec<&str> {
        let mut errors = Vec::new();
        for error in self.functions.iter().filter_map(|function| function.error.as_deref()) {
            if !errors.contains(&error) {
                errors.push(error);
            }
        }
        errors
    }

    /// The class of an error type where those are called errors: `EmptyError` for `Empty`, `ParseError` for itself, unless
    /// something else has that name, the language itself among them: `reserved`.
    #[must_use]
    pub fn error_class(&self, error: &str, reserved: &[&str]) -> String {
        let mut name = format!("{}Error", error.strip_suffix("Error").unwrap_or(error));
        let types = self.types.iter().map(|declared| &declared.name);
        let functions = self.functions.iter().map(|function| &function.name);
        let taken = types.chain(functions).chain(self.constants.iter().map(|constant| &constant.name));
        let reserved = |name: &str| ["NativeError", "Error"].contains(&name) || reserved.contains(&name);
        while reserved(&name) || taken.clone().any(|taken| *taken == name) {
            name.push('_');
        }
        name
    }

    /// The class of what a function fails with, where those are called errors; `None` if it cannot fail.
    pub(crate) fn fails_with(&self, function: &Function, reserved: &[&str]) -> Option<String> {
        let own = function.error.as_deref().map(|error| self.error_class(error, reserved));
        function.fallible.then(|| own.unwrap_or_else(|| "NativeError".into()))
    }
}
