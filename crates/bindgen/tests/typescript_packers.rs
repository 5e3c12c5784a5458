//! The TypeScript packers pass the strict compiler, and read and write the golden bytes in Node.

use bindgen_tests::{packers, tsc::tsc};
use std::fs;
use std::path::Path;
use std::process::Command;
use upcall_bindgen::typescript::{Options, generate};
use upcall_bindgen::{Diagnostics, File};

fn files(options: &Options) -> Vec<File> {
    let mut diagnostics = Diagnostics::default();
    let files = generate(&packers::fixture(), options, &mut diagnostics);
    assert_eq!(diagnostics.list, []);
    files
}

#[test]
fn the_packers_read_and_write_the_golden_bytes_and_refuse_all_else() {
    let folder = packers::folder("typescript");
    let mut files = files(&Options::default());
    assert_eq!(files.len(), 2, "nothing but the packers: no addon, no package");
    files.push(packers::golden_json());
    files.push(File::new("program.ts", include_str!("packers/program.ts")));
    files.push(File::new("node.d.ts", NODE));
    packers::put(&folder, &files);
    let (passed, said) = compile(&folder);
    assert!(passed, "{said}");
    let ran = Command::new("node").arg(folder.join("out/program.js")).output().expect("node is on PATH");
    let said = String::from_utf8_lossy(&ran.stdout).into_owned() + &String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{said}");
    assert!(said.contains("lines, nothing wrong"), "{said}");
}

#[test]
fn numbers_and_camel_case_pass_the_strict_compiler_too() {
    let folder = packers::folder("typescript-numbers");
    let mut files = files(&Options { numbers: true, camel_case: true, ..Options::default() });
    let program = "import { Log, VtLong } from \"./pack.js\";\nconst size: number | bigint = new Log().size;\n\
                   export const both = [size, VtLong.pack(new VtLong()).length, Log.pack(new Log({ size: 7 }))];\n";
    files.push(File::new("program.ts", program));
    files.push(File::new("node.d.ts", NODE));
    packers::put(&folder, &files);
    let (passed, said) = compile(&folder);
    assert!(passed, "{said}");
    assert!(fs::read_to_string(folder.join("pack.ts")).unwrap().contains("size: number | bigint;"));
}

#[test]
fn names_and_docs_that_typescript_does_not_like_pass_the_strict_compiler() {
    let folder = packers::folder("typescript-awkward");
    let mut diagnostics = Diagnostics::default();
    let mut files = generate(&packers::awkward(), &Options::default(), &mut diagnostics);
    assert_eq!(diagnostics.list, []);
    files.push(File::new("program.ts", AWKWARD));
    files.push(File::new("node.d.ts", NODE));
    packers::put(&folder, &files);
    let (passed, said) = compile(&folder);
    assert!(passed, "{said}");
    let ran = Command::new("node").arg(folder.join("out/program.js")).output().expect("node is on PATH");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
}

/// Writes and reads back the types with the most awkward names.
const AWKWARD: &str = r#"
import { Buffer_String, Chain, list, Map_, Object_, Set_ } from "./pack.js";

const many = new Map_({ item: { kind: "kind", value: new Set_({ _0: 1, _1: ["a", 2] }) }, Set: new Set_() });
const whole = new Map_({ item: { kind: "value", value: many }, unpack: many, dict: new Map([["a", Uint16Array.of(1)]]) });
const same = (one: Uint8Array, two: Uint8Array): boolean => one.join() === two.join();
const right = [same(Map_.pack(Map_.unpack(Map_.pack(whole))), Map_.pack(whole))];
const raw = new list({ int: 1, float: 2.5, unpack: null, nested: [[true, null], [false, 3]] });
right.push(list.pack(raw).length === 20, list.unpack(list.pack(raw)).nested[1]?.[1] === 3);
const buffer = new Buffer_String({ of: ["a"], keys: new Set([raw]), fixed: [["a"], []], deep: [null, [null]] });
right.push(same(Buffer_String.pack(Buffer_String.unpack(Buffer_String.pack(buffer))), Buffer_String.pack(buffer)));
const chain = new Chain({ item: { kind: "kind", value: new Set_() } });
chain.next = chain;
const back = Chain.unpack(Chain.pack(chain));
right.push(back.next === back, Object_.None === 0xffff_ffff_ffff_ffffn);
if (right.includes(false)) throw new Error(right.join());
"#;

/// Whether `program.ts` passes at full strictness, and the compiler's output.
fn compile(folder: &Path) -> (bool, String) {
    let output = Command::new(tsc())
        .current_dir(folder)
        .args(["--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes"])
        .args(["--noUnusedLocals", "--noUnusedParameters", "--noImplicitReturns"])
        .args(["--noFallthroughCasesInSwitch", "--resolveJsonModule", "--esModuleInterop"])
        .args(["--target", "ES2022", "--module", "node16", "--moduleResolution", "node16"])
        .args(["--lib", "es2022", "--outDir", "out", "program.ts", "node.d.ts"])
        .output()
        .expect("tsc starts");
    (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The parts of Node that the program uses.
const NODE: &str = "interface Buffer extends Uint8Array { toString(encoding?: string): string }
declare const Buffer: { from(data: ArrayLike<number> | string, encoding?: string): Buffer };
declare const process: { exitCode: number };
declare const console: { log(text: string): void };
declare class TextEncoder { encodeInto(text: string, into: Uint8Array): { written: number } }
declare class TextDecoder { constructor(name: string, options: object); decode(bytes: Uint8Array): string }
";
