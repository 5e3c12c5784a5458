//! A guest's process for the tests: handlers in Rust, some of which do what no handler should, and guests that keep to nothing.

mod hostile;
mod hostile_lanes;
mod later;
mod tries;

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;
use upcall_handler::{Batch, BatchHandler, Combine, Emit, Failure, Handler, Object, Open, PoolId};
use upcall_host::in_process::{InProcess, module};
use upcall_host::{Capabilities, Error, ErrorKind, HandlerSpec, Host, Module};

fn main() -> std::io::Result<()> {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    if arguments.first().is_some_and(|guest| guest == "hostile") {
        return hostile::main(&arguments[2].to_string_lossy());
    }
    upcall_apart::guest::main(arguments, |guest| match guest {
        "rust" => Ok(Arc::new(Here)),
        other => {
            Err(Error::new(ErrorKind::RuntimeMissing, format!("start {other}: there is no such runtime")))
        }
    })
}

struct Here;

impl Host for Here {
    fn guest(&self) -> &'static str {
        InProcess.guest()
    }

    fn capabilities(&self) -> Capabilities {
        InProcess.capabilities()
    }

    fn worker(&self, body: &mut dyn FnMut()) {
        InProcess.worker(body);
    }

    fn load(&self, handler: &HandlerSpec) -> Result<Box<dyn Module>, Error> {
        match handler.class.as_str() {
            "Echo" => Ok(module(Echo::default)),
            "Adds" => Ok(module(|| upcall_handler::combine(Adds))),
            "Batch" => Ok(module(|| upcall_handler::batch(Batched))),
            "Later" => Ok(Box::new(later::Module)),
            "SleepsAtStart" => {
                std::thread::sleep(Duration::from_secs(60));
                Ok(module(Echo::default))
            }
            "EndsAtStart" => std::process::exit(7),
            other => {
                let message = format!("load {other}: there are Echo, Batch and Adds");
                Err(Error::new(ErrorKind::HandlerMissing, message))
            }
        }
    }
}

/// Emits what it is given, unless the value says something else.
#[derive(Default)]
struct Echo {
    out: PoolId,
    seen: u64,
    log: Option<upcall_handler::Log>,
    greeting: String,
}

impl Handler for Echo {
    fn open(&mut self, open: &Open<'_>) -> Result<(), Failure> {
        self.out = open.pool("/out")?;
        self.greeting = open.setting("greeting").unwrap_or_default().to_owned();
        self.log = Some(open.log());
        if self.greeting == "later" {
            std::thread::sleep(Duration::from_secs(60));
        }
        if self.greeting == "no" {
            return Err(Failure::new("it does not open"));
        }
        Ok(())
    }

    fn on_object(&mut self, object: Object<'_>, emit: &mut Emit<'_>) -> Result<(), Failure> {
        self.seen += 1;
        let said = object.text()?.to_owned();
        let mut words = said.split(' ');
        let number = |word: Option<&str>| word.and_then(|word| word.parse::<usize>().ok()).unwrap_or(0);
        match if said.ends_with(" on") { &said[..] } else { words.next().unwrap_or_default() } {
            "greet" => emit.put(object.key(), self.greeting.as_bytes()),
            "many" => {
                let (times, bytes) = (number(words.next()), number(words.next()));
                for time in 0..times {
                    emit.put(time.to_string().as_bytes(), &vec![time as u8; bytes]);
                }
            }
            "read" => {
                let found = emit.read("/stored", words.next().unwrap_or_default().as_bytes())?;
                emit.put(object.key(), found.map_or(&b"nothing"[..], |found| found.value));
            }
            "list" => {
                let keys = emit.list("/stored", words.next().unwrap_or_default().as_bytes())?;
                let keys: Vec<&[u8]> = keys.into_iter().collect();
                emit.put(object.key(), &keys.join(&b","[..]));
            }
            "log" => {
                if let Some(log) = &self.log {
                    log.warn(&said);
                }
            }
            "log on" => loop {
                if let Some(log) = &self.log {
                    log.warn("and on");
                }
            },
            "print" => println!("{said}"),
            "print on" => {
                // Its child prints, too, for as long as anybody reads.
                std::process::Command::new("yes").spawn()?;
                std::process::exit(5);
            }
            "complain" => eprintln!("{said}"),
            "env" => {
                let value = std::env::var(words.next().unwrap_or_default()).unwrap_or("unset".into());
                emit.put(object.key(), value.as_bytes());
            }
            "files" => {
                let open = std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count);
                emit.put(object.key(), open.to_string().as_bytes());
            }
            "seen" => emit.put(object.key(), self.seen.to_string().as_bytes()),
            "pid" => emit.put(object.key(), std::process::id().to_string().as_bytes()),
            "try" => {
                let (what, with) =
                    said["try ".len()..].split_once(": ").unwrap_or((&said["try ".len()..], ""));
                let tried =
                    tries::attempt(what, with).ok_or_else(|| Failure::new("nobody knows how to try it"))?;
                emit.put(object.key(), tried.as_bytes());
            }
            "fail" => {
                emit.put(b"forgotten", b"");
                return Err(Failure::new("it was told to"));
            }
            "panic" => panic!("it was told to"),
            "exit" => std::process::exit(3),
            "abort" => std::process::abort(),
            "overflow" => {
                black_box(deeper(0));
            }
            // SAFETY: none: the process is to die of it.
            "segv" => unsafe { std::ptr::null_mut::<u8>().write_volatile(1) },
            "hang" => loop {
                std::thread::sleep(Duration::from_secs(1));
            },
            "eat" => {
                let mut eaten = Vec::new();
                loop {
                    eaten.push(black_box(vec![1u8; 1 << 20]));
                }
            }
            "kill" => {
                emit.put(object.key(), b"forgotten");
                // SAFETY: a signal to this process.
                unsafe { libc::kill(libc::getpid(), libc::SIGKILL) };
            }
            _ => emit.put(object.key(), object.value()),
        }
        Ok(())
    }

    fn flush(&mut self, emit: &mut Emit<'_>) -> Result<(), Failure> {
        emit.put_to(self.out, b"flushed", self.seen.to_string().as_bytes());
        Ok(())
    }
}

#[allow(unconditional_recursion, reason = "it is to overflow the stack")]
fn deeper(depth: u64) -> u64 {
    let here = black_box([depth; 512]);
    deeper(here[3] + 1) + here[7]
}

/// Emits each object of a batch and says so, unless its value is to end the process.
struct Batched;

impl BatchHandler for Batched {
    fn on_batch(&mut self, batch: &mut Batch<'_>, emit: &mut Emit<'_>) -> Result<(), Failure> {
        for index in 0..batch.len() {
            let object = batch.get(index);
            emit.put(object.key(), object.value());
            if object.value() == b"kill" {
                std::process::exit(1);
            }
            batch.done(index + 1, emit);
        }
        Ok(())
    }
}

struct Adds;

impl Combine for Adds {
    type Element = f64;

    fn combine(&mut self, from: &[f64], into: &mut [f64]) -> Result<(), Failure> {
        if from.first() == Some(&-1.0) {
            std::process::exit(9);
        }
        into.iter_mut().zip(from).for_each(|(into, from)| *into += from);
        Ok(())
    }
}
