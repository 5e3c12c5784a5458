//! What a handler may read of pools: now, at a version, at a time, and which keys there are.

use upcall::{Emit, Failure, Handler, Object, Open, PoolId};
use upcall_flow::{Flow, OnSpec, Pool};

/// Answers questions about /kept: `now KEY`, `at KEY VERSION`, `by KEY TIME`, `list PREFIX`.
struct Reads {
    kept: Option<PoolId>,
}

impl Handler for Reads {
    fn open(&mut self, open: &Open<'_>) -> Result<(), Failure> {
        self.kept = Some(open.pool("/kept")?);
        Ok(())
    }

    fn on_object(&mut self, object: Object<'_>, emit: &mut Emit<'_>) -> Result<(), Failure> {
        let question = std::str::from_utf8(object.value())?;
        let words: Vec<&str> = question.split(' ').collect();
        let kept = self.kept.expect("opened");
        let key = words[1].as_bytes();
        let found = match words[0] {
            "now" => emit.read(kept, key)?,
            "at" => emit.read_at(kept, key, words[2].parse()?)?,
            "by" => emit.read_by_time(kept, key, words[2].parse()?)?,
            _ => {
                let keys: Vec<&[u8]> = emit.list(kept, key)?.collect();
                emit.put(object.key(), &keys.join(&b','));
                return Ok(());
            }
        };
        match found {
            Some(found) => emit.put(object.key(), found.value),
            None => emit.put(object.key(), b"nothing"),
        }
        Ok(())
    }
}

/// Puts one, two and three under `a`, of which two are kept, and one under `ab`; then asks.
fn asked(questions: &[String]) -> (Vec<String>, Vec<String>) {
    let flow = Flow::builder()
        .pool(Pool::new("/kept").keep(2))
        .pool(Pool::trigger("/questions"))
        .pool(Pool::new("/answers"))
        .handler(OnSpec::new("reads", "/questions").to("/answers").read("/kept"), || Reads { kept: None })
        .start()
        .unwrap();
    let kept = flow.pool("/kept").unwrap();
    let versions: Vec<u64> = ["one", "two", "three"]
        .iter()
        .map(|value| kept.put(b"a", value.as_bytes()).unwrap().wait().unwrap())
        .collect();
    kept.put(b"ab", b"other").unwrap().wait().unwrap();
    let time = kept.get(b"a").unwrap().unwrap().time;
    for (index, question) in questions.iter().enumerate() {
        let question =
            question.replace("{two}", &versions[1].to_string()).replace("{time}", &time.to_string());
        let question = question.replace("{one}", &versions[0].to_string());
        flow.pool("/questions")
            .unwrap()
            .put_and_forget(index.to_string().as_bytes(), question.as_bytes())
            .unwrap();
    }
    flow.drain().unwrap();
    let answers = flow.pool("/answers").unwrap();
    let text = |index: usize| {
        let found = answers.get(index.to_string().as_bytes()).unwrap();
        found.map_or("failed".to_owned(), |object| String::from_utf8_lossy(&object.value).into_owned())
    };
    let causes = flow.dead_letters("/questions").unwrap().into_iter().map(|letter| letter.cause.message);
    ((0..questions.len()).map(text).collect(), causes.collect())
}

#[test]
fn a_handler_reads_old_versions_and_lists_keys() {
    let questions = ["now a", "at a {two}", "by a {time}", "now x", "by a 1", "list a", "list ab", "list x"]
        .map(str::to_owned);
    let (answers, causes) = asked(&questions);
    assert_eq!(answers, ["three", "two", "three", "nothing", "failed", "a,ab", "ab", ""]);
    assert_eq!(
        causes,
        ["read a of pool /kept as it was at time 1: that is no longer kept; raise `keep` of the pool"]
    );
}

#[test]
fn what_is_no_longer_kept_fails_the_item_that_asks() {
    let (answers, causes) = asked(&["at a {one}".to_owned()]);
    assert_eq!(answers, ["failed"]);
    let [cause] = &*causes else { panic!("{causes:?}") };
    assert!(cause.starts_with("read a of pool /kept as it was at version "), "{cause}");
    assert!(cause.ends_with(": that is no longer kept; raise `keep` of the pool"), "{cause}");
}

#[test]
fn an_emission_to_a_pool_that_is_only_read_names_it() {
    struct Writes(Option<PoolId>);

    impl Handler for Writes {
        fn open(&mut self, open: &Open<'_>) -> Result<(), Failure> {
            self.0 = Some(open.pool("/kept")?);
            Ok(())
        }

        fn on_object(&mut self, object: Object<'_>, emit: &mut Emit<'_>) -> Result<(), Failure> {
            emit.put_to(self.0.expect("it is opened first"), object.key(), b"");
            Ok(())
        }
    }

    let flow = Flow::builder()
        .pool(Pool::new("/kept"))
        .pool(Pool::trigger("/questions"))
        .handler(OnSpec::new("writes", "/questions").read("/kept"), || Writes(None))
        .start()
        .unwrap();
    flow.pool("/questions").unwrap().put_and_forget("k", "").unwrap();
    flow.drain().unwrap();
    let letter = flow.dead_letters("/questions").unwrap().remove(0);
    assert_eq!(
        letter.cause.message,
        "it emitted to pool /kept, which it does not declare; it has none: add /kept to its `to`"
    );
}
