//! Handlers in three languages that hand each other packed and blittable values.

use crate::support::{
    Folder, GUESTS_AND_WASM, code, example, fed, fixtures, handler, pools, root, run, upcall,
};
use std::fs;

const EXAMPLE: &str = "examples/typed-orders";

#[test]
fn values_pass_through_three_languages_as_the_readme_says() {
    for file in ["build/libtyped-orders.so", "build/typed-orders.dll", "orders/pack.py"] {
        example(&format!("typed-orders/{file}"));
    }
    let readme = fs::read_to_string(root().join(EXAMPLE).join("README.md")).unwrap();
    let printed = readme.split("prints\n\n```\n").nth(1).unwrap().split("```").next().unwrap();
    let outcome = run(&mut upcall(&["run", &format!("{EXAMPLE}/flow.toml"), "--report", "none"]));
    assert_eq!((outcome.code, outcome.out.as_str()), (Some(0), printed), "{}", outcome.err);
}

#[test]
fn a_pool_of_another_type_stops_the_flow_and_both_are_named() {
    let flow = fs::read_to_string(root().join(EXAMPLE).join("flow.toml")).unwrap();
    let there = |flow: String| {
        let folder = root().join(EXAMPLE);
        let flow = flow.replace("\"build/", &format!("\"{}/build/", folder.display()));
        ["reader.py", "shipping.py", "orders.txt"].iter().fold(flow, |flow, file| {
            flow.replace(&format!("\"{file}"), &format!("\"{}/{file}", folder.display()))
        })
    };
    for (from, to, said) in [
        (
            "{ packed = \"Bill\" }",
            "{ packed = \"Order\" }",
            "pool /bills has the type Order, and the handler",
        ),
        (
            "type = \"text\"",
            "type = \"u64\"",
            "pool /lines has the type u64 of 8 bytes, and the handler takes str",
        ),
        (
            "size = 16",
            "size = 24",
            "pool /totals has the type Total of 24 bytes, and the handler emits Total of 16",
        ),
    ] {
        assert!(flow.contains(from));
        let folder = Folder::new(&there(flow.replacen(from, to, 1)));
        let outcome = run(&mut upcall(&["run", &folder.path("flow.toml")]));
        assert_eq!(outcome.code, Some(1), "{to}: {}", outcome.err);
        assert!(outcome.err.contains(said), "{to}: {}", outcome.err);
    }
}

#[test]
fn a_union_and_a_type_with_a_parameter_pass_typed_handlers_of_every_language() {
    let packed = |path: &str, name: &str| format!("[pool.\"{path}\"]\ntype = {{ packed = \"{name}\" }}\n");
    let mut flow = pools(&["/in", "/out"]) + &packed("/pairs-0", "Pair");
    flow += &handler("native", "Pairs", "/in", "/pairs-0", "");
    for (at, guest) in GUESTS_AND_WASM.iter().enumerate() {
        let (pairs, shapes, next) =
            (format!("/pairs-{at}"), format!("/shapes-{at}"), format!("/pairs-{}", at + 1));
        flow += &(packed(&shapes, "Shape") + &packed(&next, "Pair"));
        let file = match *guest {
            "python" => root().join("crates/cli/tests/handlers/shapes.py"),
            guest => fixtures(guest),
        };
        flow += &code(guest, &file, "Wraps", &pairs, &shapes, "");
        flow += &code(guest, &file, "Turns", &shapes, &next, "");
    }
    flow += &handler("native", "Shows", "/pairs-3", "/out", "");
    let folder = Folder::new(&flow);
    let arguments =
        ["run", &folder.path("flow.toml"), "--input", "/in=-", "--dump", "/out=-", "--report", "none"];
    let outcome = fed(&mut upcall(&arguments), b"1 2\n3 0\n");
    assert_eq!((outcome.code, outcome.out.as_str()), (Some(0), "1\t2 1\n2\t3 0\n"), "{}", outcome.err);
}
