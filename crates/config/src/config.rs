//! What a flow's file says, and how it is read.

use crate::files::Files;
use crate::{ConfigError, flow};
use std::path::{Path, PathBuf};
use upcall_flow::FlowSpec;
use upcall_host::JavaOptions;

/// What a flow's file says.
///
/// ```toml
/// name = "wordcount"              # for messages; the flow's own keys come first
/// workers = 2                     # threads; one per core when left out
/// memory = "1 GiB"                # in flight at most, else the flow stops with an error
/// credit = { bytes = "16 MiB", items = 65536 }   # in flight before a put from outside waits
/// batch = 4096                    # items in a batch at most
///
/// [input]
/// "/lines" = "book.txt"           # what `upcall run` reads when it is told nothing else
///
/// [pool."/lines"]
/// kind = "trigger"                # stores nothing; or "volatile", which is the default
///
/// [pool."/counts"]
/// type = "u64"                    # what its values are; any bytes when left out
/// keep = 1                        # versions of a key
///
/// [pool."/readings"]              # or a type of the handlers', who must name it so too:
/// type = { blittable = "Reading", size = 16 }    # or { packed = "Order" }
///
/// [[handler]]
/// name = "count"
/// on = "/lines"                   # this pool and all below it
/// to = "/counts"                  # pools it may emit to: one, or a list
/// read = ["/counts"]              # pools it may read
/// csharp = "build/count.dll"      # or native = "build/count", or java = "build/count.jar", or python = "count.py"
/// class = "WordCount.Counter"     # the handler in that file
/// order = "key"                   # or "any", or "single"
/// retry = 0                       # tries after a failure, before the item is buried
/// cycle = false                   # whether it is meant to be part of a cycle
/// isolation = "process"           # in processes of its own; or "none", which is the default
/// workers = 2                     # so many of them, and what else is in the keys' reference
///
/// [handler.settings]              # what it is told when it is opened
/// top = 10
///
/// [java]                          # which Java runs handlers, and with what
/// options = "-Xmx1g"
/// ```
///
/// Paths of files are relative to the flow's file. Every key: `docs/flow.md`, made from [`keys::KEYS`](crate::keys::KEYS).
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// The flow.
    pub flow: FlowSpec,
    /// What to put into which pool when nobody says anything else: the pool's path and a file of lines, or `-`.
    pub input: Vec<(String, PathBuf)>,
    /// How many bytes a line of input may have.
    pub max_line: u64,
    /// Whether a line of input that is not a value of its pool's type ends the input; else it is buried.
    pub stop_on_error: bool,
    /// Which Java runs handlers in Java, and with what.
    pub java: JavaOptions,
    /// The names of the handlers of which the text itself says that they run in processes of their own, or how. One in
    /// JavaScript does so without being told, but not in a program that is JavaScript itself.
    pub isolated: Vec<String>,
}

impl Config {
    /// Reads and checks a file. The error tells every mistake in it, and what it names that is not there.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or something in it is wrong.
    pub fn read(path: impl AsRef<Path>) -> Result<Config, ConfigError> {
        Config::read_with_input(path, |_| false)
    }

    /// As [`Config::read`], with other input for some pools: for those, the file that is named need not be there.
    ///
    /// # Errors
    ///
    /// As [`Config::read`].
    pub fn read_with_input(
        path: impl AsRef<Path>,
        other: impl Fn(&str) -> bool,
    ) -> Result<Config, ConfigError> {
        let path = path.as_ref();
        match std::fs::read(path).map(String::from_utf8) {
            Ok(Ok(text)) => {
                let files =
                    Files { folder: folder(path), code: true, given: false, input: &|pool| !other(pool) };
                Config::understand(&text, path, &files)
            }
            Ok(Err(error)) => Err(ConfigError::not_text(path, &error)),
            Err(error) => Err(ConfigError::unreadable(path, &error.to_string())),
        }
    }

    /// Checks the text of a file. `path` is where it is, or would be: for messages, and for the paths in it, which
    /// are not looked for. An empty one says that there is no file, and that the text describes a flow all the same.
    ///
    /// # Errors
    ///
    /// Something in it is wrong.
    pub fn parse(text: &str, path: impl AsRef<Path>) -> Result<Config, ConfigError> {
        let path = path.as_ref();
        let files = Files { folder: folder(path), code: false, given: false, input: &|_| false };
        Config::understand(text, path, &files)
    }

    /// Checks the text of a file for a program that gives handlers of its own: those that name no code. Files of code have to
    /// be there. What the text says of [`Config::input`] is left to the program.
    ///
    /// # Errors
    ///
    /// Something in it is wrong.
    pub fn parse_with_given(text: &str, path: impl AsRef<Path>) -> Result<Config, ConfigError> {
        Config::parse_with_keys("", text, path)
    }

    /// As [`Config::parse_with_given`], behind the flow's own keys, each on a line, which a program adds to those of its file.
    /// Mistakes are shown at their places in the file.
    ///
    /// # Errors
    ///
    /// Something in either is wrong.
    pub fn parse_with_keys(keys: &str, text: &str, path: impl AsRef<Path>) -> Result<Config, ConfigError> {
        let path = path.as_ref();
        let files = Files { folder: folder(path), code: true, given: true, input: &|_| false };
        // Without a file all of it is the flow's description.
        let before = if path.as_os_str().is_empty() { 0 } else { keys.len() };
        let whole = format!("{keys}{text}");
        Config::understand(&whole, path, &files).map_err(|error| error.behind(before))
    }

    /// As [`Config::parse`], for whoever builds what the text names: handlers that name no code are left to a program.
    ///
    /// # Errors
    ///
    /// Something in it is wrong.
    pub fn parse_to_build(text: &str, path: impl AsRef<Path>) -> Result<Config, ConfigError> {
        let path = path.as_ref();
        let files = Files { folder: folder(path), code: false, given: true, input: &|_| false };
        Config::understand(text, path, &files)
    }

    fn understand(text: &str, path: &Path, files: &Files<'_>) -> Result<Config, ConfigError> {
        flow::read(text, files).map_err(|mistakes| ConfigError::new(path, text, mistakes))
    }
}

/// Where the files that a flow's file names are looked for.
fn folder(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}
