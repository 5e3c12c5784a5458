//! What callgrind writes at a request: costs by object file, function and line.

/// What the request was called, and the instructions of the objects that are `ours`, divided by its items. None for
/// what is written at the program's end.
pub fn read(text: &str, ours: impl Fn(&str) -> bool) -> Option<(String, f64)> {
    let request = text.lines().find_map(|line| line.strip_prefix("desc: Trigger: Client Request: "))?;
    let (name, items) = request.rsplit_once(" / ")?;
    let items: f64 = items.trim().parse().ok()?;
    // An object is named where it first comes up, and numbered from there on.
    let mut numbered = Vec::new();
    let (mut counted, mut inclusive, mut sum) = (false, false, 0u64);
    for line in text.lines() {
        let object = line.strip_prefix("ob=").or_else(|| line.strip_prefix("cob="));
        if let Some(object) = object {
            let (number, name) = object.split_once(' ').unwrap_or((object, ""));
            if !name.is_empty() && ours(name) {
                numbered.push(number.to_owned());
            }
            if line.starts_with("ob=") {
                counted = numbered.iter().any(|ours| ours == number);
            }
        } else if line.starts_with("calls=") {
            // The next line is what the called function cost, which is counted there.
            inclusive = true;
        } else if line.starts_with(|first: char| first.is_ascii_digit() || "+-*".contains(first)) {
            let cost = line.rsplit(' ').next().and_then(|cost| cost.parse::<u64>().ok());
            if counted && !inclusive {
                sum += cost.unwrap_or(0);
            }
            inclusive = false;
        }
    }
    Some((name.to_owned(), sum as f64 / items))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DUMP: &str = "version: 1\npart: 1\ndesc: Trigger: Client Request: rust, a call / 10\n\
        positions: line\nevents: Ir\n\nob=(1) /r/target/counts\nfl=(1) a.rs\nfn=(1) main\n0 30\ncob=(2) /lib/libc.so\n\
        cfn=(2) memcpy\ncalls=10 0\n0 500\ncob=(3) /r/build/driver.so\ncfn=(3) drive\ncalls=1 0\n+3 40\n\n\
        ob=(2)\nfn=(2)\n0 500\n\nob=(3)\nfn=(3)\n* 40\n";

    #[test]
    fn only_our_own_instructions_are_counted_each_once() {
        let read = read(DUMP, |object| object.starts_with("/r/"));
        assert_eq!(read, Some(("rust, a call".to_owned(), 7.0)));
    }

    #[test]
    fn what_is_written_at_the_end_of_the_program_has_no_name() {
        assert_eq!(read("desc: Trigger: Program termination\nob=(1) /r/x\n0 5\n", |_| true), None);
    }
}
