use crate::Config;
use std::path::PathBuf;
use upcall_flow::{Credit, DeadLetterLimit, Order, PoolKind, ValueType};

mod isolation;
mod java;
mod later;
mod mistakes;
mod senseless;
mod twice;

#[test]
fn a_file_is_read_with_all_that_it_says() {
    let text = r#"
        name = "wordcount"
        workers = 2
        memory = "2 GiB"
        credit = { bytes = "1 MiB", items = 100 }
        batch = 64
        [input]
        "/lines" = "book.txt"
        [pool."/lines"]
        kind = "trigger"
        [pool."/counts"]
        type = "u64"
        keep = 3
        [[handler]]
        name = "split"
        on = "/lines"
        to = "/counts"
        native = "build/count"
        class = "splitter"
        order = "any"
        [[handler]]
        name = "look"
        on = "/counts"
        to = []
        read = ["/counts", "/dead/lines"]
        csharp = "/opt/look.dll"
        class = "Look.Handler"
        retry = 2
        [handler.settings]
        top = 10
        name = "a b"
        share = 0.50
        loud = true
        mask = 0xff
        deep = { list = [1, "two", 3.5], on = 1979-05-27 }
    "#;
    let config = Config::parse(text, "some/flow.toml").unwrap();
    assert_eq!(config.input, [("/lines".to_owned(), PathBuf::from("some/book.txt"))]);
    let flow = config.flow;
    assert_eq!(
        (flow.name.as_str(), flow.workers, flow.memory, flow.batch),
        ("wordcount", Some(2), 2 << 30, 64)
    );
    assert_eq!(flow.credit, Credit { bytes: 1 << 20, items: 100 });
    let pools: Vec<_> =
        flow.pools.iter().map(|p| (p.path.as_str(), p.kind, p.keep, p.value.clone())).collect();
    assert_eq!(
        pools,
        [
            ("/lines", PoolKind::Trigger, 1, ValueType::Bytes),
            ("/counts", PoolKind::Volatile, 3, ValueType::U64)
        ]
    );
    let [split, look] = &flow.handlers[..] else { panic!("two handlers") };
    assert_eq!((split.to.as_slice(), split.order), (&["/counts".to_owned()][..], Order::Any));
    let code = split.code.as_ref().unwrap();
    let library = format!("some/build/{}count{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    assert_eq!((code.guest.as_str(), &code.file), ("native", &PathBuf::from(library)));
    assert_eq!((code.name.as_str(), code.class.as_str()), ("split", "splitter"));
    assert_eq!(look.code.as_ref().unwrap().file, PathBuf::from("/opt/look.dll"));
    assert_eq!((look.retry, look.read.len()), (2, 2));
    let settings: Vec<_> = look.settings.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let deep = r#"deep={"list":[1,"two",3.5],"on":"1979-05-27"}"#;
    assert_eq!(settings, ["top=10", "name=a b", "share=0.50", "loud=true", "mask=255", deep]);
}

#[test]
fn a_pools_type_may_be_one_of_the_handlers() {
    let value = |text: &str| {
        let text = format!("[pool.\"/a\"]\ntype = {text}");
        Config::parse(&text, "flow.toml").map(|config| config.flow.pools[0].value.clone())
    };
    let reading = ValueType::Blittable { name: "Reading".into(), size: 16 };
    assert_eq!(value("{ blittable = \"Reading\", size = 16 }").unwrap(), reading);
    assert_eq!((reading.name(), reading.size()), ("Reading", Some(16)));
    let order = ValueType::Packed { name: "Order".into() };
    assert_eq!(value("{ packed = \"Order\" }").unwrap(), order);
    assert_eq!((order.name(), order.size()), ("Order", None));
    for wrong in [
        "{}",
        "{ blittable = \"Reading\" }",
        "{ size = 16 }",
        "{ packed = \"Order\", size = 16 }",
        "{ packed = \"Order\", blittable = \"Order\", size = 16 }",
    ] {
        let shown = value(wrong).expect_err(wrong).to_string();
        let wanted =
            "`type` of a pool must be a word, { blittable = \"Name\", size = 16 } or { packed = \"Name\" }";
        assert!(shown.contains(wanted), "{wrong}: {shown}");
        assert_eq!(shown.matches("error:").count(), 1, "{shown}");
    }
    for (wrong, said) in [
        ("{ blitable = \"Reading\", size = 16 }", "did you mean `blittable`?"),
        ("{ blittable = \"Reading\", size = 0 }", "`size` of a type must be a number from 1 to 1048576"),
        ("{ packed = 1 }", "`packed` of a type must be a text in quotes"),
        ("7", "`type` of a pool must be a word"),
    ] {
        let shown = value(wrong).expect_err(wrong).to_string();
        assert!(shown.contains(said), "{wrong}: {shown}");
        assert_eq!(shown.matches("error:").count(), 1, "{shown}");
    }
}

#[test]
fn a_sample_is_said_as_a_line_of_the_watched_pool_or_in_hex() {
    let sample = |of: &str, warm: &str| {
        let text = format!(
            "[pool.\"/in\"]\ntype = {of}\n[[handler]]\nname = \"count\"\non = \"/in\"\npython = \"count.py\"\n\
             class = \"Count\"\nwarm = {warm}"
        );
        let config = Config::parse(&text, "flow.toml").map_err(|error| error.to_string())?;
        Ok::<_, String>(config.flow.handlers[0].warm.clone().map(|sample| (sample.key, sample.value)))
    };
    let is = |key: &str, value: &[u8]| Ok(Some((key.to_owned(), value.to_vec())));
    assert_eq!(sample("\"text\"", "{ key = \"a b\", value = \"größe\" }"), is("a b", "größe".as_bytes()));
    assert_eq!(sample("\"bytes\"", "{ value = \"\" }"), is("1", b""));
    assert_eq!(sample("\"u16\"", "{ value = \" 258 \" }"), is("1", &[2, 1]));
    let reading = "{ blittable = \"Reading\", size = 2 }";
    assert_eq!(sample(reading, "{ hex = \"00 fF\" }"), is("1", &[0, 0xff]));
    for (of, warm, said) in [
        (
            "\"u16\"",
            "{ value = \"x\" }",
            "`value` of the sample: \"x\" is not a u16: invalid digit found in string",
        ),
        ("\"u8\"", "{ value = \"256\" }", "`value` of the sample: \"256\" is not a u8"),
        ("\"u16\"", "{ hex = \"00\" }", "handler count is warmed up with a value of size 1, not 2"),
        ("\"text\"", "{ hex = \"ff\" }", "handler count is warmed up with bytes that are not UTF-8"),
        ("\"text\"", "{ hex = \"f\" }", "`hex` of the sample is not hexadecimal"),
        ("\"text\"", "{ value = 1 }", "`value` of a sample must be a text in quotes"),
        ("\"text\"", "{ key = \"k\" }", "the sample has no value"),
        ("\"text\"", "{ valeu = \"k\" }", "did you mean `value`?"),
        ("\"text\"", "{ value = \"k\", hex = \"00\" }", "the sample has both a `value` and a `hex`"),
        ("\"text\"", "\"k\"", "`warm` of a handler must be a table"),
    ] {
        let shown = sample(of, warm).expect_err(warm);
        assert!(shown.contains(said), "{warm}: {shown}");
        assert_eq!(shown.matches("error:").count(), 1, "{shown}");
    }
}

#[test]
fn dead_letters_have_limits_of_their_own() {
    let letters = |text: &str| {
        let text = format!("{text}\n[pool.\"/a\"]");
        Config::parse(&text, "flow.toml")
            .map(|config| config.flow.dead_letters)
            .map_err(|error| error.to_string())
    };
    assert_eq!(letters("").unwrap(), DeadLetterLimit { items: 10_000, bytes: 64 << 20 });
    let limit = letters("dead_letters = { items = 0, bytes = \"200 MiB\" }").unwrap();
    assert_eq!(limit, DeadLetterLimit { items: 0, bytes: 200 << 20 });
    // The default gives way to a small memory; what somebody has asked for is a mistake.
    assert_eq!(letters("memory = \"32 MiB\"").unwrap(), DeadLetterLimit::default());
    let error = letters("memory = \"32 MiB\"\ndead_letters = { bytes = \"9 MiB\" }").unwrap_err();
    assert!(
        error.contains("`dead_letters.bytes` (9437184) is more than a quarter of `memory` (33554432)"),
        "{error}"
    );
    assert!(error.contains("2 | dead_letters"), "{error}");
}

#[test]
fn credit_never_exceeds_memory_unless_it_is_said() {
    let flow = |text: &str| Config::parse(&format!("{text}\n[pool.\"/a\"]"), "flow.toml").unwrap().flow;
    assert_eq!(flow("memory = \"1 MiB\"").credit.bytes, 1 << 20);
    assert_eq!(
        flow("memory = \"1 MiB\"\ncredit = { items = 5 }").credit,
        Credit { bytes: 1 << 20, items: 5 }
    );
    assert_eq!(flow("").credit, Credit::default());
}

#[test]
fn the_file_in_the_documentation_is_right() {
    let source =
        include_str!("config.rs").split("/// ```toml\n").nth(1).unwrap().split("/// ```").next().unwrap();
    let text: String = source.lines().map(|line| line.trim_start_matches("///").to_owned() + "\n").collect();
    let flow = Config::parse(&text, "flow.toml").unwrap_or_else(|error| panic!("{error}")).flow;
    assert_eq!((flow.pools.len(), flow.handlers.len()), (3, 1));
}

#[test]
fn the_file_in_the_book_is_right() {
    let chapter = include_str!("../../../docs/flow.md");
    let text = chapter.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let flow = Config::parse(text, "flow.toml").unwrap_or_else(|error| panic!("{error}")).flow;
    assert_eq!((flow.pools.len(), flow.handlers.len()), (3, 2));
}

#[test]
fn a_mistake_is_shown_at_its_line_of_the_file_behind_keys_that_a_program_adds() {
    let file = "[pool.\"/a\"]\nkeeps = 2\n";
    let shown = |keys, path| Config::parse_with_keys(keys, file, path).unwrap_err().to_string();
    let alone = shown("", "flow.toml");
    assert!(alone.contains("--> flow.toml:2:1\n"), "{alone}");
    assert_eq!(shown("workers = 2\nmemory = \"1 GiB\"\n", "flow.toml"), alone);
    // Those of the program are no part of the file, and without a file all is one description.
    let both = shown("workers = 2\nwokers = 2\n", "flow.toml");
    assert!(both.contains("--> the flow's description:2:1\n") && both.ends_with(&alone), "{both}");
    let described = shown("workers = 2\n", "");
    assert!(described.contains("--> the flow's description:3:1\n"), "{described}");
    let twice =
        Config::parse_with_keys("workers = 2\n", "workers = 3\n", "flow.toml").unwrap_err().to_string();
    assert!(twice.contains("--> flow.toml:1:1\n"), "{twice}");
}

proptest::proptest! {
    /// The file of an example, with some of its characters replaced: whatever comes of it can be shown.
    #[test]
    fn a_damaged_file_is_answered_and_never_a_panic(
        places in proptest::collection::vec((0usize..1000, "[a-z\"\\[\\]{}=.,#/\r\n é\u{1F600}0-9-]{0,3}"), 1..4),
    ) {
        let mut text: Vec<char> = include_str!("../../../examples/wordcount/flow.toml").chars().collect();
        for (place, by) in places {
            let place = place % text.len();
            text.splice(place..place + 1, by.chars());
        }
        let text: String = text.into_iter().collect();
        if let Err(error) = Config::parse(&text, "flow.toml") {
            proptest::prop_assert!(!error.render(true).is_empty());
        }
    }
}
