//! A class for each error type: what a function throws that returned such an error.

use super::lines::Docs;
use super::surface::Java;
use crate::File;
use crate::model::Function;

impl Java<'_> {
    /// The exception that is thrown when the function returns an error of its own type.
    pub fn exception(&self, function: &Function) -> Option<&str> {
        let error = function.error.as_ref()?;
        self.names.exceptions.get(error).map(String::as_str)
    }

    /// The classes of the exceptions.
    pub fn exception_files(&self) -> Vec<File> {
        let one = |(error, name): (&String, &String)| {
            let mut lines = self.file();
            lines.docs(&Docs::new(&format!("A native function has failed with its error {error}."), None));
            lines.open(format!("public class {name} extends NativeException"));
            lines.line("private static final long serialVersionUID = 1L;");
            lines.blank();
            lines.open(format!("public {name}(int code, String message)"));
            lines.line("super(code, message);");
            lines.close();
            lines.close();
            File::new(self.path(name), lines.finish())
        };
        self.names.exceptions.iter().map(one).collect()
    }
}
