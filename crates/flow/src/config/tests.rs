use super::*;
use crate::spec::{Credit, Order, PoolKind, ValueType};

mod mistakes;

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
    assert_eq!((code.guest.as_str(), &code.handler.file), ("native", &PathBuf::from(library)));
    assert_eq!((code.handler.name.as_str(), code.handler.class.as_str()), ("split", "splitter"));
    assert_eq!(look.code.as_ref().unwrap().handler.file, PathBuf::from("/opt/look.dll"));
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
            "`type` of a pool is a word, { blittable = \"Name\", size = 16 } or { packed = \"Name\" }";
        assert!(shown.contains(wanted), "{wrong}: {shown}");
        assert_eq!(shown.matches("error:").count(), 1, "{shown}");
    }
    for (wrong, said) in [
        ("{ blitable = \"Reading\", size = 16 }", "did you mean `blittable`?"),
        ("{ blittable = \"Reading\", size = 0 }", "`size` of a type is a number from 1 to 1048576"),
        ("{ packed = 1 }", "`packed` of a type is a text in quotes"),
        ("7", "`type` of a pool is a word"),
    ] {
        let shown = value(wrong).expect_err(wrong).to_string();
        assert!(shown.contains(said), "{wrong}: {shown}");
        assert_eq!(shown.matches("error:").count(), 1, "{shown}");
    }
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
        include_str!("mod.rs").split("/// ```toml\n").nth(1).unwrap().split("/// ```").next().unwrap();
    let text: String = source.lines().map(|line| line.trim_start_matches("///").to_owned() + "\n").collect();
    let flow = Config::parse(&text, "flow.toml").unwrap_or_else(|error| panic!("{error}")).flow;
    assert_eq!((flow.pools.len(), flow.handlers.len()), (3, 1));
}

#[test]
fn the_file_in_the_book_is_right() {
    let chapter = include_str!("../../../../docs/flow.md");
    let text = chapter.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let flow = Config::parse(text, "flow.toml").unwrap_or_else(|error| panic!("{error}")).flow;
    assert_eq!((flow.pools.len(), flow.handlers.len()), (3, 2));
}

proptest::proptest! {
    /// The file of an example, with some of its characters replaced: whatever comes of it can be shown.
    #[test]
    fn a_damaged_file_is_answered_and_never_a_panic(
        places in proptest::collection::vec((0usize..1000, "[a-z\"\\[\\]{}=.,#/\r\n é\u{1F600}0-9-]{0,3}"), 1..4),
    ) {
        let mut text: Vec<char> = include_str!("../../../../examples/wordcount/flow.toml").chars().collect();
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
