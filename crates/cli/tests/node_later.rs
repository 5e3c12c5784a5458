//! Handlers in JavaScript that answer later, in flows.

use crate::support::node::{causes, flow};
use crate::support::{Folder, pools, ran, root};
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::{Duration, Instant};
use upcall_apart::{Processes, Program};
use upcall_flow::{Flow, OnSpec, Pool};
use upcall_host::guests::NODE;
use upcall_host::node::NodeOptions;

/// The causes of the dead letters, as type and message.
fn told(folder: &Folder) -> Vec<String> {
    let text = |cause: &Value| {
        format!("{}: {}", cause["type"].as_str().unwrap(), cause["message"].as_str().unwrap())
    };
    causes(folder).iter().map(text).collect()
}

/// A handler whose method `onObject` has this body.
fn asynchronous(body: &str) -> String {
    format!(
        "const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));\n\
         export class Handler {{\n  async onObject(object, emit) {{\n    {body}\n  }}\n}}\n"
    )
}

/// Lines with the numbers from 1 on.
fn numbers(count: usize) -> String {
    (1..=count).fold(String::new(), |lines, number| lines + &format!("{number}\n"))
}

#[test]
fn objects_that_are_answered_later_wait_side_by_side() {
    let body = "most = Math.max(most, ++open);\n    await wait(10);\n    open -= 1;\n    emit.put(object.key, String(most));";
    let code = format!("let [open, most] = [0, 0];\n{}", asynchronous(body));
    let folder = flow("a.mjs", &code, "");
    let begin = Instant::now();
    let outcome = ran(&folder, &numbers(300));
    let took = begin.elapsed();
    assert_eq!((outcome.code, folder.read("out").lines().count()), (Some(0), 300), "{}", outcome.err);
    let out = folder.read("out");
    let most = out.lines().map(|line| line.split_once('\t').unwrap().1.parse::<u32>().unwrap()).max();
    assert!((50..=100).contains(&most.unwrap()), "{most:?}");
    // One after the other they would take 3 seconds.
    assert!(took < Duration::from_millis(1500), "{took:?}");
}

#[test]
fn what_an_object_emits_before_and_after_it_waits_arrives_in_order() {
    let body = "for (let index = 0; index < 3; index++) {\n      emit.put(`${object.key}.${index}`, 'x'.repeat(100_000));\n      \
                await wait(Number(object.text()) % 7);\n    }\n    emit.put(object.key, object.text());";
    let folder = flow("a.mjs", &asynchronous(body), "");
    let outcome = ran(&folder, &numbers(60));
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    let out = folder.read("out");
    assert_eq!(out.lines().count(), 240);
    assert!(out.lines().all(|line| line.len() < 20 || line.ends_with(&"x".repeat(100_000))));
}

#[test]
fn one_that_fails_after_it_has_waited_fails_alone() {
    let body = "await wait(5);\n    if (Number(object.text()) % 10 === 3) throw new RangeError('odd');\n    emit.put(object.key, '');";
    let folder = flow("a.mjs", &asynchronous(body), "retry = 1");
    let outcome = ran(&folder, &numbers(50));
    assert_eq!((outcome.code, folder.read("out").lines().count()), (Some(0), 45), "{}", outcome.err);
    assert_eq!(told(&folder), ["RangeError: odd"; 5]);
    assert!(causes(&folder)[0]["stack"].as_str().unwrap().contains("a.mjs:5:"), "{}", folder.read("dead"));
}

#[test]
fn pools_are_read_and_written_on_condition_after_it_has_waited() {
    let body = "await wait(1);\n    const before = emit.read('/out', 'sum');\n    const sum = Number(before?.text() ?? 0);\n    \
                await wait(1);\n    emit.putIf('sum', String(sum + 1), before?.version ?? 0);\n    this.log.warn('counted');";
    let code = asynchronous(body).replace("  async", "  open({ log }) {\n    this.log = log;\n  }\n  async");
    let folder = flow("a.mjs", &code, "read = \"/out\"\nretry = 1000");
    let outcome = ran(&folder, &numbers(12));
    assert_eq!((outcome.code, folder.read("out").as_str()), (Some(0), "sum\t12\n"), "{}", outcome.err);
    assert!(outcome.err.matches("counted").count() >= 12, "{}", outcome.err);
}

#[test]
fn a_promise_that_does_not_settle_in_time_has_timed_out() {
    let body = "const text = object.text();\n    if (text === 'rejects') {\n      await wait(1200);\n      throw new Error('too late');\n    \
                }\n    if (text === 'hears') {\n      await new Promise((_, reject) => object.signal.addEventListener('abort', () => \
                reject(object.signal.reason)));\n    }\n    if (text === 'never') await new Promise(() => {});\n    \
                if (text === 'last') await wait(90);\n    emit.put(object.key, text);";
    let folder = flow("a.mjs", &asynchronous(body), "deadline = \"1 s\"");
    let outcome = ran(&folder, "a\nrejects\nhears\nnever\nlast\n");
    assert_eq!((outcome.code, folder.read("out").as_str()), (Some(0), "1\ta\n5\tlast\n"), "{}", outcome.err);
    assert_eq!(told(&folder), ["timed out: no answer within its `deadline` of 1s"; 3]);
    assert!(folder.read("dead").contains("TimedOutError"), "{}", folder.read("dead"));
    assert!(!outcome.err.contains("was lost"), "{}", outcome.err);
}

#[test]
fn a_promise_of_which_nobody_knew_is_told() {
    let code =
        "export class Handler {\n  onObject() {\n    return Promise.reject(new Error('unseen'));\n  }\n}\n";
    let folder = flow("a.mjs", code, "");
    let outcome = ran(&folder, "a\n");
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    let [told] = &told(&folder)[..] else { panic!("{}", folder.read("dead")) };
    let said = "TypeError: onObject returned a promise, and nothing says that it answers later: write `async onObject`, or \
                `static answersLater = true` in its class";
    assert_eq!(told, said);
}

/// An object that does this after it has waited is lost, with `cause`; those that are open beside it arrive.
#[track_caller]
fn is_lost_alone(what: &str, more: &str, cause: &str) {
    let body = format!(
        "const text = object.text();\n    await wait(5);\n    if (text === 'culprit') {what}\n    await wait(20);\n    \
         emit.put(object.key, text);"
    );
    let folder = flow("a.mjs", &asynchronous(&body), more);
    let outcome = ran(&folder, "a\nculprit\nb\nc\n");
    let out = folder.read("out");
    assert_eq!((outcome.code, out.as_str()), (Some(0), "1\ta\n3\tb\n4\tc\n"), "{}", outcome.err);
    let [told] = &told(&folder)[..] else { panic!("{}", folder.read("dead")) };
    assert!(told.starts_with("lost: ") && told.contains(cause), "{told}");
}

#[test]
fn a_loop_that_does_not_end_is_killed_and_the_others_are_delivered_again() {
    is_lost_alone("for (;;);", "deadline = \"200 ms\"\nrestarts = 1", "killed, as it did not hear within 1s");
}

#[test]
fn one_that_ends_its_process_takes_only_itself_though_others_are_open() {
    is_lost_alone("process.exit(5);", "restarts = 1", "it ended itself with exit code 5");
}

#[test]
fn other_methods_may_answer_later_and_a_sample_is_handled_first() {
    let body = "await wait(5);\n    seen.push(object.text());\n    emit.put(object.key, seen.join(' '));";
    let more = "  async open({ log }) {\n    await wait(1);\n    seen.push('open');\n    log.warn('is open');\n  }\n  \
                async flush(emit) {\n    await wait(1);\n    emit.put('flushed', '');\n  }\n  \
                async close() {\n    await wait(1);\n    console.log('closed');\n  }\n  async onObject";
    let code = format!("const seen = [];\n{}", asynchronous(body).replace("  async onObject", more));
    let folder = flow("a.mjs", &code, "warm = { value = \"sample\" }");
    let outcome = ran(&folder, "a\n");
    let out = folder.read("out");
    assert_eq!((outcome.code, out.as_str()), (Some(0), "1\topen sample a\nflushed\t\n"), "{}", outcome.err);
    assert!(outcome.err.contains("is open") && outcome.out.contains("handler | closed\n"), "{}", outcome.err);
}

/// A service that answers each request after 10 ms with its path. Its address.
fn slow_service() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for connection in listener.incoming().map_while(Result::ok) {
            std::thread::spawn(move || {
                let mut lines = BufReader::new(&connection).lines().map_while(Result::ok);
                while let Some(request) = lines.next() {
                    let _ = lines.by_ref().take_while(|line| !line.is_empty()).count();
                    let path = request.split(' ').nth(1).unwrap_or("").to_owned();
                    std::thread::sleep(Duration::from_millis(10));
                    let answer = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{path}", path.len());
                    if (&connection).write_all(answer.as_bytes()).is_err() {
                        return;
                    }
                }
            });
        }
    });
    address
}

#[test]
fn the_example_asks_many_at_a_time() {
    let url = format!("http://{}", slow_service());
    let fetch = root().join("examples/later/fetch.mjs").display().to_string();
    let flow = format!(
        "{}[[handler]]\nname = \"fetch\"\non = \"/in\"\nto = \"/out\"\nnode = \"{fetch}\"\nclass = \"Fetch\"\n\
         settings = {{ url = \"{url}\" }}\n",
        pools(&["/in", "/out"])
    );
    let folder = Folder::new(&flow);
    let begin = Instant::now();
    let outcome = ran(&folder, &numbers(400));
    let took = begin.elapsed();
    let out = folder.read("out");
    assert_eq!((outcome.code, out.lines().count()), (Some(0), 400), "{}", outcome.err);
    assert!(
        out.lines().all(|line| line.split_once('\t').is_some_and(|(key, text)| text == format!("/{key}")))
    );
    // One after the other they would take 4 seconds.
    assert!(took < Duration::from_secs(3), "{took:?}");
}

#[test]
fn a_listener_that_throws_ends_the_process_and_no_object_is_lost() {
    let body = "const { signal } = object;\n    if (object.text() === 'slow') {\n      \
                signal.addEventListener('abort', () => { throw new Error('of the listener'); });\n      \
                await new Promise(() => {});\n    }\n    await wait(20);\n    emit.put(object.key, object.text());";
    let folder = flow("a.mjs", &asynchronous(body), "deadline = \"200 ms\"");
    let outcome = ran(&folder, "a\nslow\nc\n");
    assert_eq!((outcome.code, folder.read("out").as_str()), (Some(0), "1\ta\n3\tc\n"), "{}", outcome.err);
    assert!(outcome.err.contains("Error: of the listener"), "{}", outcome.err);
    assert_eq!(told(&folder), ["timed out: no answer within its `deadline` of 200ms"], "{}", outcome.err);
}

#[test]
fn a_flow_that_stops_cancels_what_is_open_from_outside() {
    let body = "const aborted = new Promise((resolve) => object.signal.addEventListener('abort', resolve));\n    \
                emit.put(object.key, 'never seen');\n    await aborted;\n    let used;\n    \
                try {\n      emit.put(object.key, '');\n    } catch (error) {\n      used = error;\n    }\n    \
                writeFileSync(OUT, `${object.signal.reason.name} ${used.name} ${used instanceof CancelledError}`);";
    let sdk = root().join("sdk/node/build/index.js");
    let folder = Folder::new("");
    let said = folder.path("said");
    let code = asynchronous(body).replace("OUT", &format!("{said:?}"));
    let imports = "import { writeFileSync } from 'node:fs';\nimport { CancelledError } from";
    let file = folder.write("a.mjs", format!("{imports} {:?};\n{code}", sdk.display().to_string()));
    let node = Program::node(&NodeOptions::default()).unwrap();
    let processes = Processes::new(Program::new(env!("CARGO_BIN_EXE_upcall"))).with(NODE.name, node);
    let flow = Flow::builder()
        .pool(Pool::trigger("/in"))
        .pool(Pool::new("/out"))
        .host(Arc::new(processes))
        .on_guest(OnSpec::new("waits", "/in").to("/out").code("node", file, "Handler"))
        .start()
        .unwrap();
    flow.pool("/in").unwrap().put_and_forget(b"a", b"").unwrap();
    std::thread::sleep(Duration::from_millis(300));
    let begin = Instant::now();
    flow.stop().unwrap();
    assert!(begin.elapsed() < Duration::from_secs(2), "{:?}", begin.elapsed());
    assert_eq!(folder.read("said"), "CancelledError CancelledError true");
}

#[test]
fn objects_that_compute_without_a_pause_are_late_and_no_more_than_that() {
    let body = "runs += 1;\n    for (const end = performance.now() + 5; performance.now() < end; );\n    \
         emit.put(object.key, String(runs));";
    let code = format!("let runs = 0;\n{}", asynchronous(body));
    let folder = flow("a.mjs", &code, "in_flight = 1000\ndeadline = \"300 ms\"");
    let outcome = ran(&folder, &numbers(200));
    let (out, told) = (folder.read("out"), told(&folder));
    assert_eq!(out.lines().count() + told.len(), 200, "{}", outcome.err);
    assert!(told.iter().all(|cause| cause.starts_with("timed out: ")), "{told:?}");
    // One process has run each once at most.
    assert!(!outcome.err.contains("lost"), "{}", outcome.err);
}

#[test]
fn all_that_is_printed_comes_out_though_the_process_ends_at_once() {
    for body in ["", "await undefined;"] {
        let print =
            "for (let line = 0; line < 2000; line++) console.log(`${object.key} ${\"x\".repeat(100)}`);";
        let folder = flow("a.mjs", &asynchronous(&format!("{body}\n    {print}")), "");
        let outcome = ran(&folder, &numbers(10));
        assert_eq!(outcome.code, Some(0), "{}", outcome.err);
        let printed = outcome.out.lines().filter(|line| line.ends_with(&"x".repeat(100)));
        assert_eq!(printed.count(), 20_000);
    }
}
