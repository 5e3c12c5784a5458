use super::*;
use crate::spec::{Credit, Order, Pool, Sample};
use std::time::Duration;
use upcall_host::{HandlerSpec, Isolation};

/// Two pools and a handler between them; valid.
fn flow() -> FlowSpec {
    let mut handler = OnSpec::new("split", "/lines");
    handler.to = vec!["/words".into()];
    FlowSpec {
        pools: vec![Pool::new("/lines"), Pool::new("/words")],
        handlers: vec![handler],
        ..FlowSpec::default()
    }
}

/// What is found once `change` has been made: places and texts.
fn found(change: impl FnOnce(&mut FlowSpec)) -> Vec<(Place, String)> {
    let mut spec = flow();
    change(&mut spec);
    check(&spec).into_iter().map(|problem| (problem.place, problem.to_string())).collect()
}

/// The one thing that is found.
fn one(change: impl FnOnce(&mut FlowSpec)) -> (Place, String) {
    let mut found = found(change);
    assert_eq!(found.len(), 1, "{found:#?}");
    found.remove(0)
}

#[test]
fn a_valid_flow_has_no_problem() {
    assert_eq!(found(|_| {}), []);
    assert_eq!(found(|spec| spec.handlers[0].on = "/".into()).len(), 1, "it contains a cycle");
    assert_eq!(found(|spec| spec.handlers[0].read = vec!["/dead/lines".into()]), []);
    assert_eq!(found(|spec| spec.handlers.push(OnSpec::new("bury", "/dead"))), []);
}

#[test]
fn a_misspelt_pool_is_found_in_on_to_and_read_with_the_right_one() {
    let (place, text) = one(|spec| spec.handlers[0].to = vec!["/word".into()]);
    assert_eq!(place, Place::Handler(0, "to"));
    assert_eq!(text, "handler split emits to /word, which is not a pool: did you mean `/words`?");
    let (place, text) = one(|spec| spec.handlers[0].on = "/line".into());
    assert_eq!(place, Place::Handler(0, "on"));
    assert_eq!(text, "handler split watches /line, but no pool matches it: did you mean `/lines`?");
    let (place, text) = one(|spec| spec.handlers[0].read = vec!["/elsewhere".into()]);
    assert_eq!(place, Place::Handler(0, "read"));
    assert!(text.ends_with("declare it, [pool.\"/elsewhere\"], or use one of /lines, /words"), "{text}");
}

#[test]
fn paths_that_are_none_are_refused_with_what_they_should_be() {
    let (_, text) = one(|spec| spec.pools.push(Pool::new("counts")));
    assert_eq!(text, "\"counts\" is not a pool's path: it must begin with `/`: write \"/counts\"");
    let (_, text) = one(|spec| spec.pools.push(Pool::new("/a//b/")));
    assert_eq!(text, "\"/a//b/\" is not a pool's path: a part of it is empty: write \"/a/b\"");
    let (_, text) = one(|spec| spec.pools.push(Pool::new("/a /b ")));
    assert!(text.ends_with("a part of it begins or ends with a space: write \"/a/b\""), "{text}");
    let (_, text) = one(|spec| spec.handlers[0].to = vec!["".into()]);
    assert_eq!(
        text,
        "handler split emits to \"\", which is not a path: it is empty: give it a name, as in \"/lines\""
    );
    let (_, text) = one(|spec| spec.pools.push(Pool::new("/")));
    assert!(text.contains("`/` alone names no pool"), "{text}");
    let (_, text) = one(|spec| spec.pools.push(Pool::new("/dead/lines")));
    assert!(text.starts_with("pool /dead/lines is below /dead, which holds the dead pools"), "{text}");
    assert_eq!(found(|spec| spec.pools.push(Pool::new("/deadline"))), []);
}

#[test]
fn a_handler_may_not_emit_to_a_dead_pool() {
    let (place, text) = one(|spec| spec.handlers[0].to = vec!["/dead/lines".into()]);
    assert_eq!(place, Place::Handler(0, "to"));
    assert!(text.starts_with("handler split emits to /dead/lines, a dead pool"), "{text}");
}

#[test]
fn names_are_unique() {
    let (place, text) = one(|spec| spec.pools.push(Pool::new("/words")));
    assert_eq!(
        (place, text.as_str()),
        (Place::Pool(2, "path"), "pool /words is declared twice: remove one of them")
    );
    let (place, text) = one(|spec| spec.handlers.push(OnSpec::new("split", "/words")));
    assert_eq!(place, Place::Handler(1, "name"));
    assert_eq!(text, "two handlers are named split: give one of them another name");
    let (place, _) = one(|spec| spec.handlers[0].name.clear());
    assert_eq!(place, Place::Handler(0, "name"));
}

#[test]
fn names_that_differ_only_in_case_are_refused() {
    let (place, text) = one(|spec| spec.pools.push(Pool::new("/Words")));
    assert_eq!(place, Place::Pool(2, "path"));
    assert!(text.starts_with("pools /words and /Words differ only in upper and lower case"), "{text}");
    let (place, text) = one(|spec| spec.handlers.push(OnSpec::new("SPLIT", "/words")));
    assert_eq!(place, Place::Handler(1, "name"));
    assert!(text.starts_with("handlers split and SPLIT differ only in upper and lower case"), "{text}");
}

#[test]
fn a_name_that_nobody_could_see_is_none() {
    for name in ["", "  ", "a\nb"] {
        assert_eq!(one(|spec| spec.name = name.into()).0, Place::Flow("name"), "{name:?}");
        assert_eq!(one(|spec| spec.handlers[0].name = name.into()).0, Place::Handler(0, "name"), "{name:?}");
    }
}

#[test]
fn a_pool_is_named_once_in_to_and_in_read() {
    let (place, text) = one(|spec| spec.handlers[0].to = vec!["/words".into(); 3]);
    assert_eq!(place, Place::Handler(0, "to"));
    assert_eq!(text, "handler split emits to /words twice: name each pool once");
    let (place, text) = one(|spec| spec.handlers[0].read = vec!["/words".into(); 2]);
    assert_eq!(place, Place::Handler(0, "read"));
    assert_eq!(text, "handler split reads /words twice: name each pool once");
}

#[test]
fn a_pool_keeps_one_version_at_least_and_a_trigger_pool_none() {
    let (place, _) = one(|spec| spec.pools[0].keep = 0);
    assert_eq!(place, Place::Pool(0, "keep"));
    let (place, text) = one(|spec| {
        spec.pools[1].kind = PoolKind::Trigger;
        spec.pools[1].keep = 3;
    });
    assert_eq!(place, Place::Pool(1, "keep"));
    assert!(text.starts_with("pool /words is a trigger pool, which stores nothing to keep"), "{text}");
}

#[test]
fn a_handler_is_warmed_up_with_a_value_of_the_pool_that_it_watches() {
    let warm = |value: ValueType, bytes: &[u8]| {
        let bytes = bytes.to_vec();
        found(|spec| {
            spec.pools[0].value = value;
            spec.handlers[0].warm = Some(Sample { key: "k".into(), value: bytes });
        })
    };
    assert_eq!(warm(ValueType::Bytes, b"\xff"), []);
    assert_eq!(warm(ValueType::U64, &[0; 8]), []);
    let size = "handler split is warmed up with a value of size 3, not 8: give it a value as pool /lines holds them, of type u64";
    assert_eq!(warm(ValueType::U64, b"123"), [(Place::Handler(0, "warm"), size.to_owned())]);
    let [(_, text)] = &warm(ValueType::Text, b"\xff")[..] else { panic!("it is no text") };
    assert!(text.starts_with("handler split is warmed up with bytes that are not UTF-8"), "{text}");
}

#[test]
fn a_trigger_pool_cannot_be_read() {
    let (place, text) = one(|spec| {
        spec.pools[1].kind = PoolKind::Trigger;
        spec.handlers[0].read = vec!["/words".into()];
    });
    assert_eq!(place, Place::Handler(0, "read"));
    assert!(text.contains("a trigger pool, which stores nothing"), "{text}");
}

#[test]
fn a_cycle_is_named_until_one_of_its_handlers_declares_it() {
    let close = |spec: &mut FlowSpec| {
        let mut back = OnSpec::new("back", "/words");
        back.to = vec!["/lines".into()];
        spec.handlers.push(back);
    };
    let (place, text) = one(close);
    assert_eq!(place, Place::Handler(1, "to"));
    assert_eq!(
        text,
        "the flow contains a cycle: /lines -> handler split -> /words -> handler back -> /lines: \
         if it is intended, write `cycle = true` in handler back; otherwise remove one step"
    );
    for declared in 0..2 {
        let found = found(|spec| {
            close(spec);
            spec.handlers[declared].cycle = true;
        });
        assert_eq!(found, []);
    }
}

#[test]
fn one_declared_cycle_does_not_excuse_another_that_shares_a_pool() {
    let (_, text) = one(|spec| {
        let back =
            |name: &str, cycle| OnSpec { to: vec!["/lines".into()], cycle, ..OnSpec::new(name, "/words") };
        spec.handlers.push(back("meant", true));
        spec.handlers.push(back("slip", false));
    });
    assert!(text.contains("handler slip"), "{text}");
}

#[test]
fn declaring_a_cycle_where_there_is_none_is_a_mistake() {
    let (place, _) = one(|spec| spec.handlers[0].cycle = true);
    assert_eq!(place, Place::Handler(0, "cycle"));
}

#[test]
fn limits_that_nothing_could_run_with_are_refused() {
    assert_eq!(one(|spec| spec.batch = 0).0, Place::Flow("batch"));
    assert_eq!(one(|spec| spec.workers = Some(0)).0, Place::Flow("workers"));
    assert_eq!(one(|spec| spec.workers = Some(MOST_WORKERS + 1)).0, Place::Flow("workers"));
    assert_eq!(one(|spec| spec.credit.items = 0).0, Place::Flow("credit.items"));
    assert_eq!(one(|spec| spec.credit = Credit { bytes: 2 << 30, items: 1 }).0, Place::Flow("credit.bytes"));
    let (place, text) = one(|spec| spec.handlers[0].retry = MOST_RETRIES + 1);
    assert_eq!(place, Place::Handler(0, "retry"));
    let expected =
        "tries a failed item 1001 times again: 1000 is the most, as the items of the same key wait meanwhile";
    assert!(text.ends_with(expected), "{text}");
    assert_eq!(one(|spec| spec.handlers[0].batch = Some(0)).0, Place::Handler(0, "batch"));
    let delayed = |spec: &mut FlowSpec| spec.handlers[0].retry_delay = std::time::Duration::from_secs(1);
    assert_eq!(one(delayed).0, Place::Handler(0, "retry_delay"));
    let empty = check(&FlowSpec::default());
    assert_eq!(empty.len(), 1);
    assert_eq!(empty[0].place, Place::Flow("pool"));
}

#[test]
fn limits_that_make_no_sense_are_refused() {
    let handler = |change: fn(OnSpec) -> OnSpec| {
        one(move |spec| spec.handlers[0] = change(OnSpec::new("split", "/lines").to("/words")))
    };
    type Case = (fn(OnSpec) -> OnSpec, &'static str, &'static str);
    let cases: [Case; 6] = [
        (|on| on.in_flight(0), "in_flight", "`in_flight` of handler split is 0"),
        (|on| on.in_flight(10_001), "in_flight", "10000 is the most"),
        (|on| on.rate(0.0), "rate", "`rate` of handler split is 0"),
        (|on| on.rate(-1.0), "rate", "more than 0 and no more than 1000000000"),
        (|on| on.rate(f64::NAN), "rate", "is NaN"),
        (|on| on.deadline(Duration::ZERO), "deadline", "every call would be late"),
    ];
    for (change, field, said) in cases {
        let (place, text) = handler(change);
        assert_eq!(place, Place::Handler(0, field), "{text}");
        assert!(text.contains(said), "{text}");
    }
}

#[test]
fn isolation_that_makes_no_sense_is_refused() {
    let plain = Isolation::default;
    for (isolation, field, said) in [
        (Isolation { workers: 0, ..plain() }, "workers", "`workers` of handler split is 0"),
        (Isolation { workers: MOST_WORKERS + 1, ..plain() }, "workers", "1024 is the most"),
        (Isolation { restarts: 0, ..plain() }, "restarts", "`restarts` of handler split is 0"),
        (Isolation { deadline: Some(Duration::ZERO), ..plain() }, "deadline", "every call would be late"),
        (Isolation { start_deadline: Duration::ZERO, ..plain() }, "start_deadline", "too late"),
        (Isolation { memory: Some(0), ..plain() }, "memory", "`memory` of handler split is 0"),
        (Isolation { env: vec!["A=b".into()], ..plain() }, "env", "names \"A=b\", which is no variable"),
    ] {
        let (place, text) = one(|spec| {
            let handler = OnSpec::new("split", "/lines").to("/words").isolation(isolation);
            spec.handlers[0] = handler.code("python", "split.py", "Split");
        });
        assert_eq!(place, Place::Handler(0, field), "{text}");
        assert!(text.contains(said), "{text}");
    }
    let (place, text) = one(|spec| {
        spec.handlers[0].order = Order::Single;
        let isolation = Isolation { workers: 2, ..Isolation::default() };
        let code =
            HandlerSpec { isolation: Some(isolation), ..HandlerSpec::new("split", "python", "a.py", "A") };
        spec.handlers[0].code = Some(code);
    });
    assert_eq!(place, Place::Handler(0, "workers"));
    assert!(text.contains("handler split has 2 `workers`, but `order` \"single\""), "{text}");
    let (place, text) = one(|spec| {
        spec.handlers[0] = OnSpec::new("split", "/lines").to("/words").isolation(Isolation::default());
    });
    assert_eq!(place, Place::Handler(0, "isolation"));
    let expected =
        "handler split has `isolation`, but is code of this program: give its file and class, or remove it";
    assert_eq!(text, expected);
}

#[test]
fn all_problems_are_found_at_once() {
    let all = found(|spec| {
        spec.batch = 0;
        spec.pools[1].keep = 0;
        spec.handlers[0].on = "lines".into();
        spec.handlers[0].to.push("/nowhere".into());
    });
    assert_eq!(all.len(), 4, "{all:#?}");
}
