//! What a file with a mistake in it is answered with.

use crate::Config;
use insta::assert_snapshot;

/// The error of a file, as it is shown.
pub(super) fn wrong(text: &str) -> String {
    Config::parse(text, "flow.toml").expect_err("it has a mistake").to_string()
}

/// The error of a flow that is right but for `text`, which goes into the handler.
pub(super) fn wrong_handler(text: &str) -> String {
    wrong(&format!(
        "[pool.\"/lines\"]\n[pool.\"/words\"]\n[[handler]]\nname = \"split\"\non = \"/lines\"\n{text}"
    ))
}

#[test]
fn a_misspelt_key_of_the_flow() {
    assert_snapshot!(wrong("nmae = \"x\"\nwokers = 2\n[pool.\"/a\"]"), @r#"
    error: `nmae` is not a key of a flow
     --> flow.toml:1:1
      |
    1 | nmae = "x"
      | ^^^^ did you mean `name`?

    error: `wokers` is not a key of a flow
     --> flow.toml:2:1
      |
    2 | wokers = 2
      | ^^^^^^ did you mean `workers`?
    "#);
}

#[test]
fn a_misspelt_key_of_a_pool() {
    assert_snapshot!(wrong("[pool.\"/a\"]\nkeeps = 2"), @r#"
    error: `keeps` is not a key of a pool
     --> flow.toml:2:1
      |
    2 | keeps = 2
      | ^^^^^ did you mean `keep`?
    "#);
}

#[test]
fn a_misspelt_key_of_a_handler() {
    assert_snapshot!(wrong_handler("native = \"a\"\nclass = \"b\"\nordr = \"any\""), @r#"
    error: `ordr` is not a key of a handler
     --> flow.toml:8:1
      |
    8 | ordr = "any"
      | ^^^^ did you mean `order`?
    "#);
}

#[test]
fn a_key_that_is_like_no_other() {
    assert_snapshot!(wrong("[pool.\"/a\"]\ncompression = true"), @r#"
    error: `compression` is not a key of a pool
     --> flow.toml:2:1
      |
    2 | compression = true
      | ^^^^^^^^^^^
      |
      = help: the keys of a pool are kind, keep, type
    "#);
}

#[test]
fn a_key_of_the_flow_below_the_head_of_a_table() {
    assert_snapshot!(wrong("[pool.\"/a\"]\nworkers = 2"), @r#"
    error: `workers` is not a key of a pool
     --> flow.toml:2:1
      |
    2 | workers = 2
      | ^^^^^^^
      |
      = help: `workers` belongs to the flow itself: move it up, above the first line in brackets
    "#);
}

#[test]
fn values_of_the_wrong_type() {
    assert_snapshot!(
        wrong_handler("to = 5\nread = [\"/words\", true]\ncycle = \"no\"\nretry = 1.5\nnative = \"a\"\nclass = \"b\""),
        @r#"
    error: `to` of a handler must be a text in quotes, or a list of texts
     --> flow.toml:6:6
      |
    6 | to = 5
      |      ^ this is a whole number

    error: `read` of a handler must be a text in quotes, or a list of texts
     --> flow.toml:7:19
      |
    7 | read = ["/words", true]
      |                   ^^^^ this is true or false

    error: `cycle` of a handler must be true or false
     --> flow.toml:8:9
      |
    8 | cycle = "no"
      |         ^^^^ this is a text

    error: `retry` of a handler must be a whole number
     --> flow.toml:9:9
      |
    9 | retry = 1.5
      |         ^^^ this is a number with a decimal point
    "#
    );
}

#[test]
fn a_number_that_is_out_of_range() {
    assert_snapshot!(wrong("workers = -1\nbatch = 0\n[pool.\"/a\"]\nkeep = 0"), @r#"
    error: `workers` of a flow must be a number from 1 to 1024
     --> flow.toml:1:11
      |
    1 | workers = -1
      |           ^^

    error: `batch` of a flow must be a number from 1 to 4294967295
     --> flow.toml:2:9
      |
    2 | batch = 0
      |         ^

    error: pool /a keeps 0 versions
     --> flow.toml:4:8
      |
    4 | keep = 0
      |        ^
      |
      = help: keep 1 version or more, or make it a trigger pool, which stores nothing
    "#);
}

#[test]
fn a_quantity_with_a_misspelt_unit() {
    assert_snapshot!(wrong("memory = \"1 GiBi\"\ncredit = { bytes = \"some\" }\n[pool.\"/a\"]"), @r#"
    error: `memory` of a flow must be a number of bytes: "1 GiBi" has an unknown unit, `GiBi`
     --> flow.toml:1:10
      |
    1 | memory = "1 GiBi"
      |          ^^^^^^^^ did you mean `GiB`?

    error: `bytes` of the credit must be a number of bytes: "some" does not begin with a number
     --> flow.toml:2:20
      |
    2 | credit = { bytes = "some" }
      |                    ^^^^^^
      |
      = help: write it like "500 kB", "16 MiB" or "1.5 GiB"
    "#);
}

#[test]
fn a_misspelt_word_for_order_kind_and_type() {
    assert_snapshot!(wrong_handler("native = \"a\"\nclass = \"b\"\norder = \"keys\"\n[pool.\"/x\"]\nkind = \"triger\"\ntype = \"u46\"\n[pool.\"/y\"]\ntype = \"string\""), @r#"
    error: `order` of a handler cannot be "keys"
     --> flow.toml:8:9
      |
    8 | order = "keys"
      |         ^^^^^^ did you mean `key`?

    error: `kind` of a pool cannot be "triger"
      --> flow.toml:10:8
       |
    10 | kind = "triger"
       |        ^^^^^^^^ did you mean `trigger`?

    error: `type` of a pool cannot be "u46"
      --> flow.toml:11:8
       |
    11 | type = "u46"
       |        ^^^^^ did you mean `u64`?

    error: `type` of a pool cannot be "string"
      --> flow.toml:13:8
       |
    13 | type = "string"
       |        ^^^^^^^^
       |
       = help: it is one of bytes, text, u8, u16, u32, u64, i8, i16, i32, i64, f32, f64
    "#);
}

#[test]
fn a_misspelt_pool() {
    assert_snapshot!(
        wrong_handler("to = [\"/words\", \"/wrods\"]\nread = \"/dead/word\"\nnative = \"a\"\nclass = \"b\""),
        @r#"
    error: handler split emits to /wrods, which is not a pool
     --> flow.toml:6:17
      |
    6 | to = ["/words", "/wrods"]
      |                 ^^^^^^^^ did you mean `/words`?

    error: handler split reads /dead/word, which is not a pool
     --> flow.toml:7:8
      |
    7 | read = "/dead/word"
      |        ^^^^^^^^^^^^ did you mean `/dead/words`?
    "#
    );
}

#[test]
fn a_path_without_its_slash() {
    assert_snapshot!(wrong("[pool.lines]\nkind = \"trigger\""), @r#"
    error: "lines" is not a pool's path: it must begin with `/`
     --> flow.toml:1:7
      |
    1 | [pool.lines]
      |       ^^^^^
      |
      = help: write "/lines"
    "#);
}

#[test]
fn a_handler_without_what_it_needs() {
    assert_snapshot!(wrong("[pool.\"/a\"]\n[[handler]]\nname = \"x\"\non = \"/a\"\n\n[[handler]]\norder = \"any\""), @r#"
    error: handler x has no code
     --> flow.toml:2:1
      |
    2 | [[handler]]
      | ^^^^^^^^^^^
      |
      = help: give its file: native = "…", csharp = "…", java = "…", python = "…", node = "…" or wasm = "…", and its `class`; or run the flow in a program that gives the handler (docs/embedding.md)

    error: handler has no `name`
     --> flow.toml:6:1
      |
    6 | [[handler]]
      | ^^^^^^^^^^^
      |
      = help: give it a name, to find it by in messages: name = "…"

    error: handler has no `on`
     --> flow.toml:6:1
      |
    6 | [[handler]]
      | ^^^^^^^^^^^
      |
      = help: give it the pool that it watches: on = "…"

    error: handler number 2 has no code
     --> flow.toml:6:1
      |
    6 | [[handler]]
      | ^^^^^^^^^^^
      |
      = help: give its file: native = "…", csharp = "…", java = "…", python = "…", node = "…" or wasm = "…", and its `class`; or run the flow in a program that gives the handler (docs/embedding.md)
    "#);
}

#[test]
fn a_handler_in_two_languages_and_one_without_its_class() {
    assert_snapshot!(wrong_handler("python = \"a.py\"\ncsharp = \"a.dll\"\nclass = \"A\"\n[[handler]]\nname = \"y\"\non = \"/words\"\ncsharp = \"b.dll\""), @r#"
    error: handler split has code both in csharp and in python
     --> flow.toml:6:10
      |
    6 | python = "a.py"
      |          ^^^^^^
      |
      = help: keep one of the two

    error: handler y has no `class`
     --> flow.toml:9:1
      |
    9 | [[handler]]
      | ^^^^^^^^^^^
      |
      = help: give it the full name of the class, as in "WordCount.Splitter": class = "…"
    "#);
}

#[test]
fn two_handlers_of_one_name() {
    assert_snapshot!(wrong_handler("native = \"a\"\nclass = \"b\"\n[[handler]]\nname = \"split\"\non = \"/words\"\nnative = \"a\"\nclass = \"c\""), @r#"
    error: two handlers are named split
     --> flow.toml:9:8
      |
    9 | name = "split"
      |        ^^^^^^^
      |
      = help: give one of them another name
    "#);
}

#[test]
fn a_cycle_that_is_not_declared() {
    assert_snapshot!(
        wrong_handler("to = \"/words\"\nnative = \"a\"\nclass = \"b\"\n[[handler]]\nname = \"back\"\non = \"/words\"\nto = [\"/lines\"]\nnative = \"a\"\nclass = \"c\""),
        @r#"
    error: the flow contains a cycle: /lines -> handler split -> /words -> handler back -> /lines
      --> flow.toml:12:7
       |
    12 | to = ["/lines"]
       |       ^^^^^^^^
       |
       = help: if it is intended, write `cycle = true` in handler back; otherwise remove one step
    "#
    );
}

#[test]
fn a_cycle_that_is_declared_where_there_is_none() {
    assert_snapshot!(wrong_handler("native = \"a\"\nclass = \"b\"\ncycle = true"), @r#"
    error: handler split says `cycle = true`, but is not part of a cycle
     --> flow.toml:8:9
      |
    8 | cycle = true
      |         ^^^^
      |
      = help: remove it
    "#);
}

#[test]
fn a_trigger_pool_that_should_keep_and_one_that_is_read() {
    assert_snapshot!(
        wrong_handler("read = [\"/t\"]\nnative = \"a\"\nclass = \"b\"\n[pool.\"/t\"]\nkind = \"trigger\"\nkeep = 5"),
        @r#"
    error: handler split reads /t, a trigger pool, which stores nothing
     --> flow.toml:6:9
      |
    6 | read = ["/t"]
      |         ^^^^
      |
      = help: make its `kind` "volatile", or remove it from `read`

    error: pool /t is a trigger pool, which stores nothing to keep
      --> flow.toml:11:8
       |
    11 | keep = 5
       |        ^
       |
       = help: remove `keep`, or make its `kind` "volatile"
    "#
    );
}

#[test]
fn input_for_a_pool_that_is_not_there() {
    assert_snapshot!(wrong("[input]\n\"/line\" = \"a.txt\"\n\"/lines\" = 5\n[pool.\"/lines\"]"), @r#"
    error: input for /line, which is not a pool
     --> flow.toml:2:1
      |
    2 | "/line" = "a.txt"
      | ^^^^^^^ did you mean `/lines`?

    error: the input of /lines must be the path of a file, or "-" for standard input
     --> flow.toml:3:12
      |
    3 | "/lines" = 5
      |            ^ this is a whole number
    "#);
}

#[test]
fn what_follows_from_another_mistake_is_left_out() {
    assert_snapshot!(wrong("[pol.\"/a\"]\n[[handler]]\nname = \"x\"\non = \"/a\"\nnative = \"a\"\nclass = \"b\""), @r#"
    error: `pol` is not a key of a flow
     --> flow.toml:1:2
      |
    1 | [pol."/a"]
      |  ^^^ did you mean `pool`?
    "#);
}

#[test]
fn the_delay_of_a_retry_that_is_written_wrong_is_no_mistake() {
    for retry in ["retry = 2000", "retry = \"3\"", "retri = 3"] {
        let handler = "[[handler]]\nname = \"x\"\non = \"/a\"\nnative = \"a\"\nclass = \"b\"";
        let mistakes = wrong(&format!("[pool.\"/a\"]\n{handler}\n{retry}\nretry_delay = \"1 s\""));
        assert!(mistakes.contains("retr") && !mistakes.contains("tries nothing again"), "{mistakes}");
    }
}

#[test]
fn text_that_is_not_toml() {
    assert_snapshot!(wrong("[pool.\"/a\"]\nkind = trigger\nkeep = = 5\n"), @r#"
    error: this is not TOML: invalid boolean, expected `true`
     --> flow.toml:2:8
      |
    2 | kind = trigger
      |        ^^^^^^^

    error: this is not TOML: extra `=`, expected nothing
     --> flow.toml:3:8
      |
    3 | keep = = 5
      |        ^

    error: this is not TOML: unexpected key or value, expected newline, `#`
     --> flow.toml:3:10
      |
    3 | keep = = 5
      |          ^
    "#);
}

#[test]
fn a_mistake_in_a_description_that_is_no_file() {
    let text = "[pool.\"/a\"]\n[pool.\"/a\"]\n";
    assert_snapshot!(Config::parse(text, "").expect_err("it has a mistake"), @r#"
    error: pool /a is described twice
     --> the flow's description:2:7
      |
    2 | [pool."/a"]
      |       ^^^^
      |
      = help: describe each pool once, with all of its keys
    "#);
}

#[test]
fn a_setting_that_json_cannot_tell() {
    assert_snapshot!(wrong_handler("native = \"a\"\nclass = \"b\"\nsettings = { limits = [1.0, inf] }"), @r#"
    error: a setting that is infinite or not a number cannot be written as JSON
     --> flow.toml:8:29
      |
    8 | settings = { limits = [1.0, inf] }
      |                             ^^^
      |
      = help: lists and tables reach a handler as JSON text; write this one as a text in quotes
    "#);
}

#[test]
fn an_empty_file() {
    assert_snapshot!(wrong(""), @r#"
    error: flow flow has no pool
     --> flow.toml:1:1
      |
    1 |
      | ^
      |
      = help: declare one: [pool."/lines"]
    "#);
}

#[test]
fn a_file_that_is_not_there() {
    assert_snapshot!(Config::read("no/such.toml").expect_err("there is none"), @r#"
    error: read the flow's file no/such.toml: No such file or directory (os error 2)
     |
     = help: name a flow's file, or go into a folder with a flow.toml; `upcall new` makes one
    "#);
}
