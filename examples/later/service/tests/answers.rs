//! The service as a program.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The service, until the end of the test.
struct Service {
    child: Child,
    address: String,
}

impl Service {
    fn start(arguments: &[&str]) -> Service {
        let mut command = Command::new(env!("CARGO_BIN_EXE_slow-service"));
        let mut child = command.arg("127.0.0.1:0").args(arguments).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim_end().strip_prefix("listening on ").unwrap().to_owned();
        Service { child, address }
    }

    fn connect(&self) -> TcpStream {
        TcpStream::connect(&self.address).unwrap()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn ask(connection: &mut TcpStream, what: &str) {
    // At once: what comes in pieces waits for what was sent before.
    connection.write_all(format!("{what} HTTP/1.1\r\nhost: here\r\n\r\n").as_bytes()).unwrap();
}

/// The next answer's status and body.
fn answer(connection: &mut TcpStream) -> (String, String) {
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") {
        connection.read_exact(&mut byte).unwrap();
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).unwrap().to_lowercase();
    let length = head.split("content-length: ").nth(1).and_then(|rest| rest.split('\r').next());
    let mut body = vec![0; length.unwrap().parse().unwrap()];
    connection.read_exact(&mut body).unwrap();
    (head.split(' ').nth(1).unwrap().to_owned(), String::from_utf8(body).unwrap())
}

#[test]
fn a_key_comes_back_reversed_after_the_delay_and_the_connection_stays() {
    let service = Service::start(&["--delay", "20ms"]);
    let mut connection = service.connect();
    for (asked, status, text) in [
        ("GET /hello", "200", "olleh"),
        ("GET /caf%C3%A9%20noir", "200", "rion \u{e9}fac"),
        ("GET /", "404", "ask for a key: GET /KEY\n"),
        ("GET /%FF", "400", "the key is not UTF-8\n"),
        ("DELETE /hello", "405", "ask with GET\n"),
    ] {
        let begin = Instant::now();
        ask(&mut connection, asked);
        assert_eq!(answer(&mut connection), (status.to_owned(), text.to_owned()));
        assert!(begin.elapsed() >= Duration::from_millis(20));
    }
}

#[test]
fn many_connections_are_answered_at_the_same_time() {
    let service = Service::start(&["--delay", "100ms"]);
    let mut connections: Vec<TcpStream> = (0..400).map(|_| service.connect()).collect();
    let begin = Instant::now();
    for _ in 0..2 {
        connections.iter_mut().for_each(|connection| ask(connection, "GET /ab"));
        connections.iter_mut().for_each(|connection| assert_eq!(answer(connection).1, "ba"));
    }
    assert!(begin.elapsed() < Duration::from_secs(20), "one after the other they would take 80 s");
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_it_with_success() {
    let mut service = Service::start(&[]);
    let _open = service.connect();
    assert_eq!(interrupted(&mut service), Some(0));
}

/// It ended by the signal where that came before the first look for a connection.
#[test]
#[cfg(unix)]
fn ctrl_c_ends_it_with_success_as_soon_as_it_listens() {
    for _ in 0..20 {
        assert_eq!(interrupted(&mut Service::start(&[])), Some(0));
    }
}

/// The service's status after Ctrl-C.
#[cfg(unix)]
fn interrupted(service: &mut Service) -> Option<i32> {
    let pid = service.child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    service.child.wait().unwrap().code()
}

#[test]
fn a_wrong_argument_is_a_clear_error() {
    for (arguments, said) in [
        (&["--delay", "10"][..], "give a number with its unit, as in 10ms or 1.5s"),
        (&["localhost"], "invalid value 'localhost' for '[ADDRESS]'"),
        (&["--dealy", "10ms"], "a similar argument exists: '--delay'"),
        (&["192.0.2.1:80"], "error: listen on 192.0.2.1:80: "),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_slow-service")).args(arguments).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && error.contains(said), "{arguments:?}: {error}");
    }
}
