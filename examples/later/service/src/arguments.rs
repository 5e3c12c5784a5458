use clap::Parser;
use std::time::Duration;

/// A service that takes its time: answers GET /KEY, after a delay, with the key reversed.
///
/// It prints `listening on ADDRESS` once it is ready, keeps connections open as HTTP/1.1 does, and ends with Ctrl-C.
#[derive(Parser, Debug)]
#[command(version, after_help = EXAMPLES)]
pub struct Arguments {
    /// Where to listen, as IP:PORT; port 0 takes one that is free
    #[arg(default_value = "127.0.0.1:8080")]
    pub address: std::net::SocketAddr,

    /// How long an answer takes: 10ms, 1.5s, 0
    #[arg(long, value_name = "TIME", default_value = "10ms", value_parser = time)]
    pub delay: Duration,
}

const EXAMPLES: &str = "Examples:
  slow-service                             listen on 127.0.0.1:8080
  slow-service 127.0.0.1:9000 --delay 1s   another port, answers that take a second
  curl http://127.0.0.1:8080/hello         prints olleh";

/// A time as somebody writes it: a number, and `ms` or `s`.
fn time(text: &str) -> Result<Duration, String> {
    let (number, unit) = match (text.strip_suffix("ms"), text.strip_suffix('s')) {
        (Some(number), _) => (number, 1e-3),
        (None, Some(number)) => (number, 1.0),
        (None, None) if text == "0" => ("0", 1.0),
        (None, None) => ("", 1.0),
    };
    let seconds = number.trim_end().parse::<f64>().ok().map(|number| number * unit);
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| "give a number with its unit, as in 10ms or 1.5s".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_number_with_its_unit() {
        let times = ["10ms", "10 ms", "1.5s", "0", "0.5ms"].map(|text| time(text).unwrap().as_micros());
        assert_eq!(times, [10_000, 10_000, 1_500_000, 0, 500]);
        for wrong in ["", "10", "ms", "-1s", "1h", "NaNs", "infs"] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
    }
}
