use super::text;
use crate::error::{Error, ErrorKind};
use crate::shim::RawCommand;
use std::env;
use std::ffi::{CString, c_char, c_int};
use std::fmt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::ptr;

/// A program to start, how often, and where.
///
/// ```no_run
/// # use upcall_mpi::{Environment, Program, Threads};
/// let mpi = Environment::start(Threads::Funneled)?;
/// let workers = Program::new("./worker", 4).arguments(["--quiet", "book.txt"]).directory("/tmp");
/// let workers = mpi.world().spawn(&workers, 0)?;
/// assert_eq!(workers.remote_size(), 4);
/// # Ok::<_, upcall_mpi::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Program {
    path: String,
    processes: usize,
    arguments: Vec<String>,
    directory: Option<String>,
    hosts: Vec<String>,
    info: Vec<(String, String)>,
}

impl Program {
    /// So many processes of the program at a path, or by a name that is on `PATH`.
    #[must_use]
    pub fn new(path: impl Into<String>, processes: usize) -> Program {
        Program {
            path: path.into(),
            processes,
            arguments: Vec::new(),
            directory: None,
            hosts: Vec::new(),
            info: Vec::new(),
        }
    }

    /// One argument more.
    #[must_use]
    pub fn argument(mut self, argument: impl Into<String>) -> Program {
        self.arguments.push(argument.into());
        self
    }

    /// Some arguments more.
    #[must_use]
    pub fn arguments<A: Into<String>>(mut self, arguments: impl IntoIterator<Item = A>) -> Program {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// The folder that they start in. Where nothing is said, the launcher's.
    #[must_use]
    pub fn directory(mut self, directory: impl Into<String>) -> Program {
        self.directory = Some(directory.into());
        self
    }

    /// The hosts that they start on, by their names. Where nothing is said, the launcher's.
    #[must_use]
    pub fn hosts<H: Into<String>>(mut self, hosts: impl IntoIterator<Item = H>) -> Program {
        self.hosts.extend(hosts.into_iter().map(Into::into));
        self
    }

    /// Something else that the launcher is told, by a name that it knows, such as Open MPI's `add-hostfile`.
    #[must_use]
    pub fn info(mut self, name: impl Into<String>, value: impl Into<String>) -> Program {
        self.info.push((name.into(), value.into()));
        self
    }

    /// Its path, as it is found here where it starts here.
    fn found(&self, what: &impl Fn() -> String) -> Result<String, Error> {
        let refused = |why: String| Error::new(ErrorKind::Spawn, format!("{}: {why}", what()));
        if !self.hosts.is_empty() {
            return Ok(self.path.clone());
        }
        if let Some(directory) = &self.directory
            && !Path::new(directory).is_dir()
        {
            return Err(refused(format!("there is no folder {directory} to start it in")));
        }
        let runs = |path: &PathBuf| {
            path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
        };
        let found = if self.path.contains('/') {
            std::path::absolute(&self.path).ok().filter(runs)
        } else {
            let folders = env::var_os("PATH").unwrap_or_default();
            env::split_paths(&folders).map(|folder| folder.join(&self.path)).find(runs)
        };
        let found = found.and_then(|path| path.into_os_string().into_string().ok());
        found.ok_or_else(|| refused(format!("there is no program {} that may be run", self.path)))
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} processes of {}", self.processes, self.path)
    }
}

/// Programs as MPI takes them: texts, and lists of where they are.
#[derive(Default)]
pub(super) struct Rows {
    rows: Vec<Row>,
    pub(super) processes: usize,
}

struct Row {
    program: CString,
    arguments: Vec<*const c_char>,
    info: Vec<*const c_char>,
    processes: c_int,
    /// What the lists point to.
    _texts: Vec<CString>,
}

impl Rows {
    /// `room` is for how many processes more the launcher has room, where that is known.
    pub(super) fn new(
        programs: &[Program],
        room: Option<usize>,
        what: impl Fn() -> String,
    ) -> Result<Rows, Error> {
        if programs.is_empty() {
            return Err(Error::new(ErrorKind::Usage, "start programs: there are none"));
        }
        let rows = programs.iter().map(|program| Row::new(program, &what)).collect::<Result<Vec<_>, _>>()?;
        let processes = programs.iter().map(|program| program.processes).sum();
        let are_here = programs.iter().all(|program| program.hosts.is_empty() && program.info.is_empty());
        if let Some(room) = room.filter(|room| are_here && processes > *room) {
            let message = format!(
                "{}: the launcher has room for {room} more; start the job with --oversubscribe, or with more slots",
                what()
            );
            return Err(Error::new(ErrorKind::Spawn, message));
        }
        Ok(Rows { rows, processes })
    }

    /// What the shim is given: as long as these are there.
    pub(super) fn raw(&self) -> Vec<RawCommand> {
        let raw = self.rows.iter().map(|row| RawCommand {
            program: row.program.as_ptr(),
            arguments: row.arguments.as_ptr(),
            info: row.info.as_ptr(),
            processes: row.processes,
        });
        raw.collect()
    }

    /// What a rank gives that has nothing to say.
    pub(super) fn nothing() -> RawCommand {
        RawCommand {
            program: c"".as_ptr(),
            arguments: &raw const END.0,
            info: &raw const END.0,
            processes: 0,
        }
    }
}

/// The end of a list.
struct End(*const c_char);
// SAFETY: it points nowhere.
unsafe impl Sync for End {}
static END: End = End(ptr::null());

impl Row {
    fn new(program: &Program, what: &impl Fn() -> String) -> Result<Row, Error> {
        let processes = c_int::try_from(program.processes).ok().filter(|processes| *processes > 0);
        let processes = processes.ok_or_else(|| {
            Error::new(ErrorKind::Usage, format!("{}: that is no number of processes", what()))
        })?;
        let path = text(&program.found(what)?, what)?;
        let mut told = Vec::new();
        if let Some(directory) = &program.directory {
            told.push(("wdir", directory.clone()));
        }
        if !program.hosts.is_empty() {
            told.push(("host", program.hosts.join(",")));
        }
        told.extend(program.info.iter().map(|(name, value)| (name.as_str(), value.clone())));
        let mut texts = Vec::new();
        for argument in &program.arguments {
            texts.push(text(argument, what)?);
        }
        for (name, value) in told {
            texts.push(text(name, what)?);
            texts.push(text(&value, what)?);
        }
        let list = |texts: &[CString]| -> Vec<*const c_char> {
            texts.iter().map(|text| text.as_ptr()).chain([ptr::null()]).collect()
        };
        let (arguments, info) = texts.split_at(program.arguments.len());
        let (arguments, info) = (list(arguments), list(info));
        Ok(Row { program: path, arguments, info, processes, _texts: texts })
    }
}
