//! What a file is answered with whose keys are right, and whose values make no sense or name what is not there.

use super::mistakes::{wrong, wrong_handler};
use crate::Config;
use insta::assert_snapshot;

#[test]
fn too_little_memory_and_too_little_credit() {
    assert_snapshot!(wrong("memory = 512\ncredit = { bytes = \"16 B\" }\n[pool.\"/a\"]"), @r#"
    error: `memory` of a flow must be at least 1 MiB
     --> flow.toml:1:10
      |
    1 | memory = 512
      |          ^^^ this is 512 bytes
      |
      = help: a number without a unit is in bytes: write "1 MiB" or more

    error: `bytes` of the credit must be at least 1 KiB
     --> flow.toml:2:20
      |
    2 | credit = { bytes = "16 B" }
      |                    ^^^^^^ this is 16 B
      |
      = help: write "1 KiB" or more
    "#);
}

#[test]
fn lines_that_exceed_memory_and_an_answer_to_errors_that_is_none() {
    assert_snapshot!(wrong("memory = \"2 MiB\"\nmax_line = \"3 MiB\"\non_error = \"skip\"\n[pool.\"/a\"]"), @r#"
    error: `max_line` of 3145728 bytes exceeds `memory`, which is 2097152 bytes
     --> flow.toml:2:12
      |
    2 | max_line = "3 MiB"
      |            ^^^^^^^
      |
      = help: allow shorter lines, or raise `memory`

    error: `on_error` of a flow cannot be "skip"
     --> flow.toml:3:12
      |
    3 | on_error = "skip"
      |            ^^^^^^ did you mean `stop`?
    "#);
}

#[test]
fn credit_that_exceeds_memory() {
    assert_snapshot!(wrong("memory = \"2 MiB\"\ncredit = { bytes = \"16 MiB\" }\n[pool.\"/a\"]"), @r#"
    error: `credit.bytes` (16777216) is more than `memory` (2097152): the flow would stop before a put has to wait
     --> flow.toml:2:20
      |
    2 | credit = { bytes = "16 MiB" }
      |                    ^^^^^^^^
      |
      = help: raise `memory` or lower the credit
    "#);
}

#[test]
fn numbers_below_zero_and_beyond_64_bits() {
    assert_snapshot!(wrong("memory = -1\nworkers = 99999999999999999999\ncredit = { bytes = \"-16 MiB\", items = \"many\" }\nbatch = 1e3\n[pool.\"/a\"]"), @r#"
    error: `memory` of a flow must be at least 1 MiB
     --> flow.toml:1:10
      |
    1 | memory = -1
      |          ^^ this is -1 bytes
      |
      = help: a number without a unit is in bytes: write "1 MiB" or more

    error: `workers` of a flow must be a number from 1 to 1024
     --> flow.toml:2:11
      |
    2 | workers = 99999999999999999999
      |           ^^^^^^^^^^^^^^^^^^^^

    error: `bytes` of the credit must be a number of bytes: "-16 MiB" does not begin with a number
     --> flow.toml:3:20
      |
    3 | credit = { bytes = "-16 MiB", items = "many" }
      |                    ^^^^^^^^^
      |
      = help: write it like "500 kB", "16 MiB" or "1.5 GiB"

    error: `items` of the credit must be a whole number
     --> flow.toml:3:39
      |
    3 | credit = { bytes = "-16 MiB", items = "many" }
      |                                       ^^^^^^ this is a text

    error: `batch` of a flow must be a whole number
     --> flow.toml:4:9
      |
    4 | batch = 1e3
      |         ^^^ this is a number with a decimal point
    "#);
}

#[test]
fn a_pool_that_is_named_twice() {
    assert_snapshot!(wrong_handler("to = [\"/words\", \"/words\"]\nnative = \"a\"\nclass = \"b\""), @r#"
    error: handler split emits to /words twice
     --> flow.toml:6:17
      |
    6 | to = ["/words", "/words"]
      |                 ^^^^^^^^
      |
      = help: name each pool once
    "#);
}

#[test]
fn a_handler_that_emits_to_the_pool_it_watches() {
    assert_snapshot!(wrong_handler("to = \"/lines\"\nnative = \"a\"\nclass = \"b\""), @r#"
    error: the flow contains a cycle: /lines -> handler split -> /lines
     --> flow.toml:6:6
      |
    6 | to = "/lines"
      |      ^^^^^^^^
      |
      = help: if it is intended, write `cycle = true` in handler split; otherwise remove one step
    "#);
}

#[test]
fn names_that_say_nothing() {
    assert_snapshot!(wrong("name = \"\"\n[pool.\"/a\"]\ntype = { packed = \"\" }\n[pool.\"/A\"]\ntype = { packed = \"Shop.Order\" }\n[[handler]]\nname = \" \"\non = \"/a\"\nnative = \"\"\nclass = \"\""), @r#"
    error: "" is not a flow's name
     --> flow.toml:1:8
      |
    1 | name = ""
      |        ^^
      |
      = help: give it a name to find it by in messages

    error: `packed` of a type is empty
     --> flow.toml:3:19
      |
    3 | type = { packed = "" }
      |                   ^^
      |
      = help: give it the name that the handlers' type has

    error: pools /a and /A differ only in upper and lower case
     --> flow.toml:4:7
      |
    4 | [pool."/A"]
      |       ^^^^
      |
      = help: give one of them another path, or remove it

    error: `packed` of a type must be its name alone, without module or namespace
     --> flow.toml:5:19
      |
    5 | type = { packed = "Shop.Order" }
      |                   ^^^^^^^^^^^^ did you mean `Order`?

    error: " " is not a handler's name
     --> flow.toml:7:8
      |
    7 | name = " "
      |        ^^^
      |
      = help: give it a name to find it by in messages

    error: `native` of handler   is empty
     --> flow.toml:9:10
      |
    9 | native = ""
      |          ^^
      |
      = help: give the path of its code

    error: `class` of a handler is empty
      --> flow.toml:10:9
       |
    10 | class = ""
       |         ^^
       |
       = help: give it the name that the library exports it by
    "#);
}

#[test]
fn code_of_another_language_and_source_code() {
    assert_snapshot!(wrong_handler("csharp = \"Handler.cs\"\nclass = \"A\"\n[[handler]]\nname = \"two\"\non = \"/words\"\nnative = \"two.py\"\nclass = \"Two\""), @r#"
    error: handler split: Handler.cs is source code, and `csharp` names what it is compiled to
     --> flow.toml:6:10
      |
    6 | csharp = "Handler.cs"
      |          ^^^^^^^^^^^^
      |
      = help: give the path of the assembly, as in "build/NAME.dll"

    error: handler two: `native` names two.py, which is Python
      --> flow.toml:11:10
       |
    11 | native = "two.py"
       |          ^^^^^^^^
       |
       = help: write python = "two.py"
    "#);
}

#[test]
fn input_that_no_line_can_be_and_standard_input_for_two_pools() {
    assert_snapshot!(wrong("[input]\n\"/a\" = \"-\"\n\"/b\" = \"-\"\n\"/c\" = \"\"\n[pool.\"/a\"]\n[pool.\"/b\"]\n[pool.\"/c\"]\ntype = { packed = \"Order\" }"), @r#"
    error: both /a and /b are read from standard input
     --> flow.toml:3:8
      |
    3 | "/b" = "-"
      |        ^^^
      |
      = help: give a file for one of them

    error: input for /c: its values are of type Order, and input is read as lines of text
     --> flow.toml:4:1
      |
    4 | "/c" = ""
      | ^^^^
      |
      = help: put the lines into a pool of text, and let a handler make values of them

    error: input for /c: no file is named
     --> flow.toml:4:8
      |
    4 | "/c" = ""
      |        ^^
      |
      = help: give its path, or "-" for standard input
    "#);
}

#[test]
fn files_that_are_not_there() {
    let folder = std::env::temp_dir().join(format!("upcall-config-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("build")).unwrap();
    std::fs::write(folder.join("wrods.py"), "").unwrap();
    std::fs::write(folder.join("input.txt"), "").unwrap();
    let text = "[input]\n\"/lines\" = \"inptu.txt\"\n\"/words\" = \"data/words.txt\"\n[pool.\"/lines\"]\n[pool.\"/words\"]\n\
                [[handler]]\nname = \"split\"\non = \"/lines\"\npython = \"words.py\"\nclass = \"A\"\n\
                [[handler]]\nname = \"count\"\non = \"/words\"\ncsharp = \"build/count.dll\"\nclass = \"B\"\n\
                [[handler]]\nname = \"print\"\non = \"/words\"\nnative = \"build/\"\nclass = \"c\"\n";
    std::fs::write(folder.join("flow.toml"), text).unwrap();
    let shown = |error: crate::ConfigError| error.to_string().replace(folder.to_str().unwrap(), "FOLDER");
    let error = Config::read(folder.join("flow.toml")).map(drop).expect_err("files are missing");
    // With other input, what is named for it does not matter.
    let rest =
        Config::read_with_input(folder.join("flow.toml"), |_| true).map(drop).expect_err("code is missing");
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(rest.count(), error.count() - 2);
    assert_snapshot!(shown(error), @r#"
    error: input for /lines: there is no file inptu.txt
     --> FOLDER/flow.toml:2:12
      |
    2 | "/lines" = "inptu.txt"
      |            ^^^^^^^^^^^ did you mean `input.txt`?

    error: input for /words: there is no file data/words.txt, nor a folder data
     --> FOLDER/flow.toml:3:12
      |
    3 | "/words" = "data/words.txt"
      |            ^^^^^^^^^^^^^^^^
      |
      = help: it was looked for at FOLDER/data/words.txt

    error: handler split: there is no file words.py
     --> FOLDER/flow.toml:9:10
      |
    9 | python = "words.py"
      |          ^^^^^^^^^^ did you mean `wrods.py`?

    error: handler count: there is no file build/count.dll
      --> FOLDER/flow.toml:14:10
       |
    14 | csharp = "build/count.dll"
       |          ^^^^^^^^^^^^^^^^^
       |
       = help: build it first (`upcall build` in a project of `upcall new`); it was looked for at FOLDER/build/count.dll

    error: handler print: there is no file build/
      --> FOLDER/flow.toml:19:10
       |
    19 | native = "build/"
       |          ^^^^^^^^
       |
       = help: build it first (`upcall build` in a project of `upcall new`); it was looked for at FOLDER/libbuild.so
    "#);
}
