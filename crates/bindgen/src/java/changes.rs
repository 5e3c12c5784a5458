//! The class that asks the library whether it is still the same. JNI's glue asks itself.

use super::lines::literal;
use super::surface::Java;
use crate::File;
use crate::model::Function;

const NAME: &str = "NativeChanges";

impl Java<'_> {
    /// Its file, if anything is known of what the library exports.
    pub fn changes_file(&self) -> Option<File> {
        let expected: String = self
            .expected()
            .iter()
            .map(|line| format!("        {},\n", literal(&format!("{line}\n"))))
            .collect();
        let text = include_str!("runtime/NativeChanges.java");
        let fill = || text.replace("@PACKAGE@", &self.package).replace("@EXPECTED@", &expected);
        (!expected.is_empty()).then(|| File::new(self.path(NAME), fill()))
    }

    /// What the library's loader does first.
    pub fn changes_check(&self) -> &'static str {
        if self.expected().is_empty() { "" } else { "            NativeChanges.check(library.lookup());\n" }
    }

    fn expected(&self) -> Vec<&str> {
        let functions: Vec<&Function> = self.written_functions().collect();
        if self.jni() { Vec::new() } else { self.api.fingerprints_of(&functions) }
    }
}
