//! Structs with bitfields cross between C# and what C compilers make of them: by value, both ways, with their values.
#![cfg(feature = "c")]

use bindgen_tests::compiler;
use bindgen_tests::random::Dice;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::rc::Rc;
use upcall_bindgen::Diagnostics;
use upcall_bindgen::c::{self, Input};
use upcall_bindgen::csharp::{Options, generate};

/// One member of a struct: its declaration in C, the C# type of its property, and a value in each language.
struct Member {
    declared: String,
    csharp: &'static str,
    value: String,
    expected: String,
    number: i64,
}

fn member(dice: &mut Dice, name: &str) -> Member {
    const TYPES: [(&str, &str, u32, bool); 12] = [
        ("int8_t", "sbyte", 8, true),
        ("uint8_t", "byte", 8, false),
        ("int16_t", "short", 16, true),
        ("uint16_t", "ushort", 16, false),
        ("int32_t", "int", 32, true),
        ("uint32_t", "uint", 32, false),
        ("int64_t", "long", 64, true),
        ("uint64_t", "ulong", 64, false),
        ("enum mood", "mood", 32, true),
        ("_Bool", "bool", 1, false),
        ("float", "float", 8, true),
        ("double", "double", 8, true),
    ];
    let (ty, csharp, bits, signed) = TYPES[dice.roll(12) as usize];
    let real = matches!(ty, "float" | "double");
    let plain = real || dice.roll(4) == 0;
    let width = match plain {
        true => bits,
        false if ty == "enum mood" => 3 + dice.roll(10) as u32,
        false => 1 + dice.roll(bits.into()) as u32,
    };
    let random = dice.roll(u64::MAX) as i64;
    let number = match ty {
        "enum mood" => -4 + dice.roll(8) as i64,
        // Half of the signed ones are negative.
        _ if signed => random << (64 - width) >> (64 - width),
        _ => (random as u64 >> (64 - width)) as i64,
    };
    let bits = if plain { String::new() } else { format!(" : {width}") };
    let value = match csharp {
        "bool" => (number != 0).to_string(),
        "mood" => format!("(mood)({number})"),
        "ulong" => format!("{}UL", number as u64),
        "long" => format!("unchecked((long){}UL)", number as u64),
        _ => number.to_string(),
    };
    let expected = if signed { "(int64_t)" } else { "" };
    let expected = format!("{expected}{}ULL", number as u64);
    let gap = if dice.roll(8) == 0 { format!("uint32_t : {}; ", dice.roll(33)) } else { String::new() };
    Member { declared: format!("{gap}{ty} {name}{bits};"), csharp, value, expected, number }
}

/// A struct of random members, or one that holds it behind a byte.
struct Case {
    name: String,
    /// What stands before the members' names.
    within: &'static str,
    members: Rc<[Member]>,
}

impl Case {
    fn in_c(&self, header: &mut String, source: &mut String) {
        let Case { name, within, members } = self;
        let made = format!("struct {name} made_{name}(void)");
        let taken = format!("uint64_t taken_{name}(int before, struct {name} s, int next, double after)");
        let _ = write!(header, "{made};\n{taken};\n");
        let _ = write!(source, "{made} {{ struct {name} s = {{ 0 }};");
        for (at, member) in members.iter().enumerate() {
            let _ = write!(source, " s.{within}m{at} = {};", member.expected);
        }
        let _ = write!(
            source,
            " return s; }}\n{taken} {{ uint64_t hash = 7; if (before != 3 || next != 4 || after != 2.5) return 0;"
        );
        for at in 0..members.len() {
            let _ = write!(source, " hash = hash * 31 + (uint64_t)(int64_t)s.{within}m{at};");
        }
        source.push_str(" return hash; }\n");
    }

    /// A method of the program. `shown` are the members that have accessors.
    fn in_csharp(&self, shown: &[usize], program: &mut String) {
        let Case { name, within, members } = self;
        let hash = |hash: u64, member: &Member| hash.wrapping_mul(31).wrapping_add(member.number as u64);
        let hash = members.iter().fold(7, hash);
        let _ = write!(program, "    private static void Of_{name}()\n    {{\n");
        let _ = writeln!(program, "        {name} s = NativeMethods.made_{name}();");
        for at in shown {
            let Member { csharp, number, .. } = &members[*at];
            let read = if *csharp == "bool" { "m ? 1UL : 0UL" } else { "unchecked((ulong)(long)m)" };
            let (what, expected) = (format!("{name}.m{at} made"), *number as u64);
            let _ = writeln!(
                program,
                "        {{ {csharp} m = s.{within}m{at}; Expect(\"{what}\", {expected}, {read}); }}"
            );
        }
        let call = format!("NativeMethods.taken_{name}(3, s, 4, 2.5)");
        let _ = writeln!(program, "        Expect(\"{name} sent back\", {hash}, {call});");
        if shown.len() == members.len() {
            program.push_str("        s = default;\n");
            for at in shown {
                let _ = writeln!(program, "        s.{within}m{at} = {};", members[*at].value);
            }
            let _ = writeln!(program, "        Expect(\"{name} written\", {hash}, {call});");
        }
        program.push_str("    }\n");
    }
}

const PRELUDE: &str = "#include <stdint.h>\nenum mood { low = -4, none = 0, high = 3 };\n";

const PROGRAM: &str = r#"
using System;
using Bits;

internal static unsafe class Program
{
    private static int wrong;

    private static void Expect(string what, ulong expected, ulong found)
    {
        if (expected == found) return;
        wrong++;
        Console.WriteLine($"{what}: expected {expected:x}, found {found:x}");
    }

"#;

fn cases(header: &mut String) -> Vec<Case> {
    let mut dice = Dice(0x5eed);
    let mut cases = Vec::new();
    for index in 0..300 {
        let count = 1 + dice.roll(4);
        let members: Rc<[Member]> = (0..count).map(|at| member(&mut dice, &format!("m{at}"))).collect();
        let declared: Vec<&str> = members.iter().map(|member| member.declared.as_str()).collect();
        let mut attribute = || if dice.roll(2) == 0 { "__attribute__((packed)) " } else { "" };
        let (inner, outer) = (attribute(), attribute());
        let _ = writeln!(header, "struct {inner}s{index} {{ {} }};", declared.join(" "));
        let _ = writeln!(header, "struct {outer}t{index} {{ uint8_t first; struct s{index} inner; }};");
        cases.push(Case { name: format!("s{index}"), within: "", members: members.clone() });
        cases.push(Case { name: format!("t{index}"), within: "inner.", members });
    }
    cases
}

#[test]
fn every_struct_with_bitfields_is_what_c_compilers_make_of_it() {
    let (mut header, mut source) = (PRELUDE.to_owned(), String::from("#include \"bits.h\"\n"));
    let cases = cases(&mut header);
    cases.iter().for_each(|case| case.in_c(&mut header, &mut source));
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("bits.h"), &header).unwrap();
    fs::write(at("bits.c"), &source).unwrap();
    let input = Input { library: "bits".into(), headers: vec![at("bits.h")], ..Input::default() };
    let mut diagnostics = Diagnostics { skip_unsupported: true, ..Diagnostics::default() };
    let api = c::read(&input, &mut diagnostics).unwrap();
    let files = generate(&api, &Options { dotnet_names: false, ..Options::default() }, &mut diagnostics);
    assert_eq!(files.len(), 1, "nothing needs a shim");
    fs::write(at("Bits.cs"), &files[0].text).unwrap();
    let said: Vec<String> = diagnostics.list.iter().map(ToString::to_string).collect();
    let mut program = PROGRAM.to_owned();
    let mut calls = String::new();
    let mut passed = 0;
    for case in &cases {
        if !api.functions.iter().any(|function| function.name == format!("taken_{}", case.name)) {
            let refused = format!("function `taken_{}` cannot cross", case.name);
            assert!(said.iter().any(|said| said.contains(&refused)), "{refused}: {said:#?}");
            continue;
        }
        let inner = case.name.replace('t', "s");
        let declared = api.types.iter().find(|declared| declared.name == inner).unwrap();
        let known = |at: &usize| declared.body.fields().any(|field| field.name == format!("m{at}"));
        let shown: Vec<usize> = (0..case.members.len()).filter(known).collect();
        case.in_csharp(&shown, &mut program);
        let _ = writeln!(calls, "        Of_{}();", case.name);
        passed += 1;
    }
    assert!(passed > 400, "{passed} cross by value");
    let _ = write!(program, "    private static int Main()\n    {{\n{calls}");
    program.push_str("        Console.WriteLine($\"{wrong} wrong\");\n        return wrong;\n    }\n}\n");
    fs::write(at("Main.cs"), program).unwrap();
    let exe = compiler::compile(folder.path(), "bitfields", "exe", &[at("Bits.cs"), at("Main.cs")])
        .unwrap_or_else(|e| panic!("{e}"));
    for compiler in ["gcc", "clang"] {
        compiled(compiler, folder.path());
        let (code, output) = compiler::run(&exe);
        assert_eq!((code, output.as_str()), (Some(0), "0 wrong\n"), "{compiler}: {output}\n{header}");
    }
}

/// The library as that compiler makes it.
fn compiled(compiler: &str, folder: &Path) {
    let mut command = Command::new(compiler);
    command.args(["-O1", "-shared", "-fPIC", "-w", "-o", "libbits.so", "bits.c"]);
    let built = command.current_dir(folder).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
}
