//! Handlers in JavaScript: what goes wrong with their files, in their calls and with their processes.

use crate::support::node::{causes, flow};
use crate::support::{Folder, fed, pools, ran, root, run, upcall};
use std::os::unix::fs::symlink;
use std::process::Command;

/// What is said of a file that cannot be loaded.
#[track_caller]
fn refused(file: &str, code: &str) -> String {
    let folder = flow(file, code, "");
    let outcome = ran(&folder, "a\n");
    assert_eq!(outcome.code, Some(1), "{}", outcome.err);
    outcome.err.replace(&folder.path(""), "/")
}

#[test]
fn a_module_that_is_missing_is_named_in_nodes_own_words() {
    let err = refused("a.mjs", "import 'no-such-package';\nexport class Handler { onObject() {} }\n");
    assert!(err.contains("load JavaScript handler Handler from /a.mjs: Cannot find package 'no-such-package' imported from /a.mjs"), "{err}");
    let err = refused("a.cjs", "require('./nowhere.js');\n");
    assert!(
        err.contains("load JavaScript handler Handler from /a.cjs: Cannot find module './nowhere.js'"),
        "{err}"
    );
}

#[test]
fn a_syntax_error_shows_its_place() {
    let err = refused("a.mjs", "export class Handler {\n  onObject(object {\n}\n");
    for said in [
        "it is not JavaScript that Node v",
        "/a.mjs:2\n",
        "onObject(object {\n",
        "^\n",
        "SyntaxError: Unexpected token '{'",
    ] {
        assert!(err.contains(said), "{said}\n{err}");
    }
}

#[test]
fn a_file_that_throws_or_holds_no_such_class_says_so() {
    let err = refused("a.mjs", "throw new RangeError('at load');\n");
    assert!(
        err.contains("running the file threw RangeError: at load\n") && err.contains("a.mjs:1:7"),
        "{err}"
    );
    let err = refused("a.mjs", "export class Other { onObject() {} }\nexport class None {}\n");
    assert!(err.contains("there is no such class among its exports; it holds Other"), "{err}");
    let err = refused(
        "a.mjs",
        "export class Other { onObject() {} }\nexport class Handler { static answersLater = true; onBatch() {} }\n",
    );
    assert!(err.contains("only onObject may answer later") && !err.contains("it holds"), "{err}");
    let err = refused("a.mjs", "export class Handler { on_object() {} }\n");
    assert!(
        err.contains("it has neither onObject(object, emit) nor onBatch(batch, emit) nor combine"),
        "{err}"
    );
    let err = refused(
        "a.mjs",
        "export class Handler { constructor() { throw new Error('not today') } onObject() {} }\n",
    );
    assert!(err.contains("make JavaScript handler Handler from /a.mjs: Error: not today"), "{err}");
}

#[test]
fn what_is_thrown_or_rejected_fails_its_item_with_its_stack() {
    let throws = "export class Handler {\n  onObject(object, emit) {\n    emit.put(object.key, object.value);\n    \
                  if (object.text() === 'bad') throw new TypeError('it was told to');\n  }\n}\n";
    let rejects =
        throws.replace("onObject", "async onObject").replace("    if", "    await undefined;\n    if");
    for (code, line) in [(throws, "a.mjs:4:"), (&rejects, "a.mjs:5:")] {
        let folder = flow("a.mjs", code, "");
        let outcome = ran(&folder, "a\nbad\nc\n");
        assert_eq!((outcome.code, folder.read("out").as_str()), (Some(0), "1\ta\n3\tc\n"), "{}", outcome.err);
        let [cause] = &causes(&folder)[..] else { panic!("{}", folder.read("dead")) };
        assert_eq!((&cause["type"], &cause["message"]), (&"TypeError".into(), &"it was told to".into()));
        assert!(cause["stack"].as_str().unwrap().contains(line), "{cause}");
    }
}

#[test]
fn one_that_ends_its_process_is_lost_alone_and_the_flow_goes_on() {
    let ends = "module.exports.Handler = class {\n  onObject(object, emit) {\n    emit.put(object.key, object.value);\n    \
                if (object.text() === 'bad') END;\n  }\n};\n";
    for (end, said) in [
        ("process.exit(5)", "it ended itself with exit code 5"),
        ("process.kill(process.pid, 'SIGKILL')", "killed by SIGKILL"),
        (
            "setTimeout(() => { throw new Error('nobody catches it') }); await new Promise(() => {})",
            "exit code",
        ),
    ] {
        let code = ends.replace("END", &format!("{{ {end} }}"));
        let code = if end.contains("await") { code.replace("onObject", "async onObject") } else { code };
        let folder = flow("a.cjs", &code, "restarts = 1");
        let outcome = ran(&folder, "a\nbad\nc\n");
        assert_eq!((outcome.code, folder.read("out").as_str()), (Some(0), "1\ta\n3\tc\n"), "{}", outcome.err);
        let [cause] = &causes(&folder)[..] else { panic!("{}", folder.read("dead")) };
        assert!(cause["message"].as_str().unwrap().contains(said), "{cause}");
    }
}

#[test]
fn what_it_prints_and_logs_comes_out_and_timers_run_between_calls() {
    let code = "export class Handler {\n  open(context) {\n    console.log('opened');\n    console.error('aside');\n    \
                context.log.warn('beware');\n    setTimeout(() => { console.log('a timer'); this.timer = true; }, 1);\n  }\n  \
                onObject(object, emit) {\n    emit.put(object.key, String(this.timer));\n  }\n  close() {\n    \
                console.log('closed');\n  }\n}\n";
    let folder = flow("a.mjs", code, "");
    let script = "(sleep 0.5; echo a) | \"$UPCALL\" run \"$FLOW\" --input /in=- --dump /out=- --report none";
    let mut shell = Command::new("sh");
    shell.args(["-c", script]).env("UPCALL", env!("CARGO_BIN_EXE_upcall")).env("UPCALL_HOME", root());
    let outcome = run(shell.env("FLOW", folder.path("flow.toml")));
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    for line in ["handler | opened\n", "handler | a timer\n", "handler | closed\n", "1\ttrue\n"] {
        assert!(outcome.out.contains(line), "{line}{}", outcome.out);
    }
    assert!(outcome.err.contains("handler | aside\n") && outcome.err.contains("beware"), "{}", outcome.err);
}

#[test]
fn typescript_is_stripped_of_its_types_and_its_places_are_those_of_the_source() {
    let code = "import { loud } from \"./helper.js\";\n\ninterface Said {\n  readonly text: string;\n}\n\n\
                export class Handler {\n  onObject(object: { key: string; text(): string }, emit: any): void {\n    \
                const said: Said = { text: loud(object.text()) };\n    if (said.text === \"BAD\") throw new Error(\"no\");\n    \
                emit.put(object.key, said.text);\n  }\n}\n";
    let folder = flow("a.ts", code, "");
    // Node's own stripping knows no `./helper.js` that is a file of TypeScript.
    folder.write("helper.js", "export const loud = (text) => text.toUpperCase();\n");
    folder.write("package.json", "{ \"type\": \"module\" }\n");
    std::fs::create_dir(folder.path("node_modules")).unwrap();
    let compiler = root().join(".setup/node5/node_modules/typescript");
    symlink(compiler, folder.path("node_modules/typescript")).unwrap();
    let outcome = ran(&folder, "a\nbad\n");
    assert_eq!((outcome.code, folder.read("out").as_str()), (Some(0), "1\tA\n"), "{}", outcome.err);
    let [cause] = &causes(&folder)[..] else { panic!("{}", folder.read("dead")) };
    assert!(cause["stack"].as_str().unwrap().contains("a.ts:10:"), "{cause}");

    folder.write("a.ts", "export class Handler {\n  onObject(object: number {}\n}\n");
    let outcome = ran(&folder, "a\n");
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.err.contains("a.ts") && outcome.err.contains('2'), "{}", outcome.err);
}

#[test]
fn a_compiler_of_typescript_that_is_missing_or_too_new_is_told() {
    let folder = flow("a.ts", "export class Handler { onObject(object: any, emit: any): void {} }\n", "");
    let refused = || {
        let outcome = ran(&folder, "a\n");
        (outcome.code == Some(1)).then_some(outcome.err)
    };
    // Node 22.6 or later needs none.
    let Some(err) = refused() else { return };
    assert!(err.contains("its folder has no package typescript: run npm install --save-dev typescript@5 there, or install Node 22.6 or later"), "{err}");
    std::fs::create_dir_all(folder.path("node_modules/typescript")).unwrap();
    // As version 7 is.
    folder.write(
        "node_modules/typescript/package.json",
        r#"{ "version": "7.0.2", "exports": { "./package.json": "./package.json", ".": "./version.cjs" } }"#,
    );
    folder.write("node_modules/typescript/version.cjs", "module.exports = { version: '7.0.2' };\n");
    let err = refused().unwrap();
    assert!(err.contains("its folder has typescript 7.0.2, which is too new, as it has no API for JavaScript: run npm install --save-dev typescript@5"), "{err}");
}

#[test]
fn values_of_classes_that_bindgen_has_written_pass_from_handler_to_handler() {
    let handler = |name: &str, on: &str, to: &str| {
        format!(
            "[[handler]]\nname = \"{name}\"\non = \"{on}\"\nto = \"{to}\"\nnode = \"a.ts\"\nclass = \"{name}\"\n"
        )
    };
    let orders = "[pool.\"/orders\"]\ntype = { packed = \"Order\" }\n";
    let handlers = [handler("Reads", "/in", "/orders"), handler("Counts", "/orders", "/out")].concat();
    let folder = Folder::new(&format!("{}{orders}{handlers}", pools(&["/in", "/out"])));
    let types = "use upcall::pack::Pack;\n#[derive(Pack)]\npub struct Order<'a> {\n    pub customer: &'a str,\n    \
                 pub items: Vec<u64>,\n}\n";
    let types = folder.write("types.rs", types);
    let bindgen = run(&mut upcall(&["bindgen", "--rust", &types, "--typescript", &folder.path("")]));
    assert_eq!(bindgen.code, Some(0), "{}", bindgen.err);
    folder.write(
        "a.ts",
        "import { Order } from \"./pack.js\";\n\nexport class Reads {\n  static gives = Order;\n  \
         onObject(object: any, emit: any): void {\n    const [customer, ...items] = object.text().split(\" \");\n    \
         emit.put(object.key, new Order({ customer, items: BigUint64Array.from(items, BigInt) }));\n  }\n}\n\n\
         export class Counts {\n  static takes = Order;\n  async onObject(object: { key: string; value: Order }, emit: any) {\n    \
         await undefined;\n    const { customer, items } = object.value;\n    \
         emit.put(object.key, `${customer}: ${items.reduce((sum, item) => sum + item, 0n)}`);\n  }\n}\n",
    );
    folder.write("package.json", "{ \"type\": \"module\" }\n");
    std::fs::create_dir(folder.path("node_modules")).unwrap();
    symlink(root().join(".setup/node5/node_modules/typescript"), folder.path("node_modules/typescript"))
        .unwrap();
    let outcome = ran(&folder, "Ada 1 2 3\nGrace 40\nb\n");
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert_eq!(folder.read("out"), "1\tAda: 6\n2\tGrace: 40\n3\tb: 0\n", "{}", outcome.err);

    let flow = folder.read("flow.toml").replace("packed = \"Order\"", "packed = \"Bill\"");
    folder.write("flow.toml", flow);
    let outcome = ran(&folder, "Ada 1\n");
    assert_eq!(outcome.code, Some(1));
    let said = "pool /orders has the type Bill, and the handler";
    assert!(outcome.err.contains(said), "{}", outcome.err);
}

#[test]
fn a_handler_in_javascript_imports_packers_that_are_compiled_as_the_readme_says() {
    let read = |file: &str| std::fs::read_to_string(root().join(file)).unwrap();
    let readme = read("sdk/node/README.md");
    let section = readme.split("### Values of classes\n").nth(1).unwrap();
    let block = section.split("```sh\n").nth(1).unwrap().split("```").next().unwrap();
    assert!(read("docs/typed.md").contains(block), "docs/typed.md says it otherwise");
    let code = "import { Order } from './pack.js';\nexport class Handler {\n  onObject(object, emit) {\n    \
                const order = new Order({ customer: object.text(), lines: 2 });\n    \
                emit.put(object.key, Order.unpack(Order.pack(order)).customer);\n  }\n}\n";
    let folder = flow("a.mjs", code, "");
    let types = "use upcall::pack::Pack;\n#[derive(Pack)]\npub struct Order<'a> {\n    pub customer: &'a str,\n    pub lines: u32,\n}\n";
    folder.write("types.rs", types);
    folder.write("package.json", "{}\n");
    // The same compiler, without a network.
    let installed = root().join(".setup/node5/node_modules/.bin/tsc").display().to_string();
    assert!(block.contains("npx -y -p typescript@5 tsc "));
    let script = block
        .replace("upcall bindgen", concat!(env!("CARGO_BIN_EXE_upcall"), " bindgen"))
        .replace("npx -y -p typescript@5 tsc", &installed);
    let mut shell = Command::new("bash");
    let made = run(shell.args(["-euc", &script]).current_dir(folder.path("")).env("UPCALL_HOME", root()));
    assert_eq!(made.code, Some(0), "{}\n{}", made.out, made.err);
    let outcome = ran(&folder, "Ada\n");
    assert_eq!((outcome.code, folder.read("out").as_str()), (Some(0), "1\tAda\n"), "{}", outcome.err);
}

#[test]
fn isolation_is_implied_and_cannot_be_refused() {
    let code = "export class Handler { onObject() {} }\n";
    let folder = flow("a.mjs", code, "isolation = \"none\"");
    let outcome = ran(&folder, "a\n");
    assert_eq!(outcome.code, Some(2), "{}", outcome.err);
    assert!(
        outcome.err.contains("handlers in JavaScript always run in processes of their own"),
        "{}",
        outcome.err
    );
    let folder = flow("a.mjs", code, "workers = 2\ndeadline = \"5 s\"");
    assert_eq!(ran(&folder, "a\nb\n").code, Some(0));
}

#[test]
fn a_node_that_is_missing_or_too_old_is_told() {
    let folder = flow("a.mjs", "export class Handler { onObject() {} }\n", "");
    let old = folder.write("old", "#!/bin/sh\necho v16.20.0\n");
    run(Command::new("chmod").args(["+x", &old]));
    for (node, said) in
        [(old.as_str(), "is Node 16.20.0, which is too old"), ("/nowhere/node", "does not run")]
    {
        let outcome = run(upcall(&["check", &folder.path("flow.toml")]).env("UPCALL_NODE", node));
        assert!(outcome.code.is_some());
        let outcome = run(upcall(&["doctor", "node"]).env("UPCALL_NODE", node));
        assert_eq!(outcome.code, Some(1), "{}", outcome.out);
        assert!(outcome.out.contains(said), "{}", outcome.out);
        let outcome = fed(
            upcall(&["run", &folder.path("flow.toml"), "--input", "/in=-"]).env("UPCALL_NODE", node),
            b"a\n",
        );
        assert_eq!(outcome.code, Some(1), "{}", outcome.err);
        assert!(
            outcome.err.contains("find Node 18 or later") && outcome.err.contains(said),
            "{}",
            outcome.err
        );
    }
}

#[test]
fn doctor_and_describe_know_it() {
    let outcome = run(&mut upcall(&["doctor", "node"]));
    assert_eq!(outcome.code, Some(0), "{}", outcome.out);
    assert!(outcome.out.contains("works: a handler ran"), "{}", outcome.out);
    let folder = flow(
        "a.mjs",
        "export class Handler {\n  static parameters = { every: { type: 'u64', default: 10 } };\n  onBatch() {}\n}\n",
        "",
    );
    let outcome = run(&mut upcall(&["describe", &folder.path("a.mjs"), "Handler"]));
    assert!(
        outcome.out.contains("FLOW, a batch at a time") && outcome.out.contains("every: u64, 10 by default"),
        "{}",
        outcome.out
    );
}
