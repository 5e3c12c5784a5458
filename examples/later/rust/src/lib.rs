//! Asks a slow service about each key, many at a time, and emits what it answers.

use reqwest::{Client, Url};
use upcall::{AsyncHandler, Describe, Emit, Failure, Object, Open};

const URL: &str = "http://127.0.0.1:8080";

#[derive(Default)]
struct Fetch {
    /// Keeps connections and uses them again.
    client: Client,
    url: Option<Url>,
}

impl Fetch {
    /// Where the service answers for a key.
    fn of(&self, key: &str) -> Option<Url> {
        let mut url = self.url.clone()?;
        url.path_segments_mut().ok()?.pop_if_empty().push(key);
        Some(url)
    }
}

impl AsyncHandler for Fetch {
    fn describe(&self, describe: &mut Describe<'_>) {
        describe.parameter("url", "text", Some(URL), None);
    }

    async fn open(&mut self, open: &Open<'_>) -> Result<(), Failure> {
        self.url = Some(open.setting("url").unwrap_or(URL).parse()?);
        self.of("key").ok_or_else(|| Failure::new("the setting `url` names no server"))?;
        Ok(())
    }

    async fn on_object(&self, object: Object<'_>, emit: &mut Emit<'_>) -> Result<(), Failure> {
        let url = self.of(object.key_str()).ok_or_else(|| Failure::new("the handler was not opened"))?;
        // When nobody waits any more, this future is dropped, and the request with it.
        let answer = self.client.get(url).send().await?.error_for_status()?;
        emit.put(object.key(), answer.text().await?.as_bytes());
        Ok(())
    }
}

upcall::handlers! { "fetch" => upcall::later(Fetch::default()) }

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use std::thread;
    use std::time::Duration;
    use upcall::{Ended, Harness, later};

    /// A service that answers its first connection with this, or not at all.
    fn service(answer: &'static str) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/keys/", listener.local_addr().unwrap());
        thread::spawn(move || {
            let (mut connection, _) = listener.accept().unwrap();
            let mut request = [0; 1024];
            let len = connection.read(&mut request).unwrap();
            assert!(request[..len].starts_with(b"GET /keys/a%20b HTTP/1.1\r\n"));
            if !answer.is_empty() {
                write!(connection, "HTTP/1.1 {answer}").unwrap();
            }
            // Until the handler closes it.
            while connection.read(&mut request).is_ok_and(|len| len > 0) {}
        });
        url
    }

    fn fetching(answer: &'static str) -> Harness {
        Harness::new(later(Fetch::default())).emits(&["/answers"]).setting("url", &service(answer))
    }

    #[test]
    fn what_the_service_answers_is_emitted() {
        let mut harness = fetching("200 OK\r\ncontent-length: 3\r\n\r\nb a");
        harness.put(b"a b", b"").unwrap();
        let answer = &harness.emitted()[0];
        assert_eq!((&*answer.key, &*answer.value), (&b"a b"[..], &b"b a"[..]));
    }

    #[test]
    fn an_error_of_the_service_fails_the_item() {
        let failed = fetching("503 Busy\r\ncontent-length: 0\r\n\r\n").put(b"a b", b"").unwrap_err();
        assert!(failed.message.contains("503"), "{}", failed.message);
        assert_eq!((&*failed.type_name, failed.ended), ("reqwest::error::Error", None));
    }

    #[test]
    fn a_service_that_does_not_answer_in_time_is_no_longer_waited_for() {
        let failed = fetching("").deadline(Duration::from_millis(100)).put(b"a b", b"").unwrap_err();
        assert_eq!(failed.ended, Some(Ended::TimedOut));
    }

    #[test]
    fn a_url_that_is_none_stops_the_flow() {
        for (url, said) in
            [("here", "relative URL without a base"), ("mailto:a@b", "the setting `url` names no server")]
        {
            let harness = Harness::new(later(Fetch::default()));
            let failed = harness.setting("url", url).put(b"a b", b"").unwrap_err();
            assert_eq!(failed.message, said);
        }
    }
}
