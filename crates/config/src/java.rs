//! Which Java runs handlers: `[java]`.

use crate::fields::Fields;
use crate::files::Files;
use crate::flow::top_level;
use crate::keys::Section;
use std::path::PathBuf;
use upcall_host::JavaOptions;

/// Reads the table, if there is one.
pub(crate) fn read(fields: &Fields<'_, '_>, files: &Files<'_>) -> JavaOptions {
    let Some(table) = fields.table("java") else { return JavaOptions::default() };
    let java = Fields::new(table, Section::Java, top_level, fields.mistakes());
    let paths = |key: &'static str| -> Vec<PathBuf> {
        let path = |(word, span): (&str, _)| {
            let file = files.folder.join(word);
            files
                .path(&format!("java.{key}"), word, &file, span)
                .into_iter()
                .for_each(|wrong| java.add(wrong));
            file
        };
        java.texts(key).into_iter().map(path).collect()
    };
    JavaOptions {
        java_home: java
            .filled("home", "give it the folder of a JDK or JRE")
            .map(|home| files.folder.join(home)),
        class_path: paths("class_path"),
        module_path: paths("module_path"),
        options: java.texts("options").into_iter().map(|(option, _)| option.to_owned()).collect(),
        home: None,
    }
}
