use crate::Config;
use crate::fields::{Fields, Mistakes};
use crate::files::Files;
use crate::handler;
use crate::keys::Section;
use crate::mistake::Mistake;
use crate::place::Places;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};
use upcall_flow::{Credit, FlowSpec, Place, Pool, PoolKind, ValueType, check};
use upcall_host::nearest;

const TYPE: &str = "a word, { blittable = \"Name\", size = 16 } or { packed = \"Name\" }";
const TYPE_KEYS: &[&str; 3] = &["blittable", "size", "packed"];

/// The parser's words for a key that is there twice.
const DUPLICATE: &str = "duplicate key";

/// A line that is longer is hardly one.
const MAX_LINE: u64 = 64 << 20;

/// A whole file. All mistakes are found, except that what follows from another is left out.
pub(crate) fn read(text: &str, files: &Files<'_>) -> Result<Config, Vec<Mistake>> {
    let (document, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        let first = errors.iter().filter(|error| !follows(text, error, &errors));
        return Err(first.map(|error| not_toml(text, error)).collect());
    }
    let mistakes = Mistakes::default();
    let mut places = Places::default();
    let mut flow = FlowSpec::default();
    let fields = Fields::new(document.get_ref(), Section::Flow, |_| None, &mistakes);
    limits(&fields, &mut flow, &mut places);
    let pools_known = pools(&fields, &mut flow, &mut places);
    let isolated = handler::read(&fields, files, &mut flow, &mut places);
    let input = input(&fields, files, &flow, pools_known);
    let max_line = max_line(&fields, &flow);
    let java = crate::java::read(&fields, files);
    let stop_on_error = fields.word("on_error") == Some("stop");

    let problems = check(&flow);
    // Without its pools nothing that a handler names is there.
    let problems = problems
        .iter()
        .filter(|problem| pools_known || matches!(problem.place, Place::Flow(field) if field != "pool"));
    mistakes.borrow_mut().extend(problems.filter_map(|problem| places.mistake(problem)));
    let mistakes = mistakes.into_inner();
    if mistakes.is_empty() {
        Ok(Config { flow, input, max_line, stop_on_error, java, isolated })
    } else {
        Err(mistakes)
    }
}

/// Whether a key is there twice only because its table is: the parser says both.
fn follows(text: &str, error: &toml::de::Error, all: &[toml::de::Error]) -> bool {
    let twice = |error: &&toml::de::Error| error.message() == DUPLICATE;
    let start = |error: &toml::de::Error| error.span().unwrap_or_default().start;
    let is_head = |line: &str| line.trim_start().starts_with('[');
    let in_head = |at: usize| text[..at].rsplit('\n').next().is_some_and(is_head);
    let at = start(error);
    let mut heads = all.iter().filter(twice).map(start).filter(|head| *head < at && in_head(*head));
    // No other table begins between the two.
    twice(&error) && heads.any(|head| !text[head..at].split('\n').skip(1).any(is_head))
}

/// What the parser found. The same key twice is no mistake of TOML's to whoever has written it, or described it in code.
fn not_toml(text: &str, error: &toml::de::Error) -> Mistake {
    let span = error.span().unwrap_or_default();
    let word = text.get(span.clone()).unwrap_or_default();
    if error.message() != DUPLICATE || word.is_empty() {
        return Mistake::new(span, format!("this is not TOML: {}", error.message()));
    }
    let key = toml::de::DeValue::parse(word).ok().and_then(|key| Some(key.get_ref().as_str()?.to_owned()));
    let key = key.as_deref().unwrap_or(word);
    let line = text[..span.start].rsplit('\n').next().unwrap_or_default();
    if line.split_whitespace().collect::<String>() == "[pool." {
        let message = format!("pool {key} is described twice");
        return Mistake::new(span, message).help("describe each pool once, with all of its keys");
    }
    Mistake::new(span, format!("`{key}` is there twice")).help("give it once")
}

fn limits(fields: &Fields<'_, '_>, flow: &mut FlowSpec, places: &mut Places) {
    if let Some(name) = fields.text("name") {
        flow.name = name.to_owned();
    }
    flow.workers = fields.count("workers").map(|workers| workers as usize);
    flow.batch = fields.count("batch").map_or(flow.batch, |batch| batch as usize);
    flow.delay = fields.time("delay").unwrap_or(flow.delay);
    match fields.bytes("memory") {
        Some(memory) => flow.memory = memory,
        // Whether these exceed it is not known.
        None if fields.value("memory").is_some() => {
            places.unread(Place::Flow("credit.bytes"));
            places.unread(Place::Flow("dead_letters.bytes"));
        }
        None => {}
    }
    for field in ["name", "workers", "batch", "memory"] {
        if let Some(span) = fields.span(field) {
            places.add(Place::Flow(field), "", span);
        }
    }
    if let Some(table) = fields.table("dead_letters") {
        let letters = Fields::new(table, Section::DeadLetters, |_| None, fields.mistakes());
        let limit = &mut flow.dead_letters;
        limit.items = letters.count("items").unwrap_or(limit.items);
        limit.bytes = letters.bytes("bytes").unwrap_or(limit.bytes);
        if let Some(span) = letters.span("bytes") {
            places.add(Place::Flow("dead_letters.bytes"), "", span);
        }
    }
    let Some(table) = fields.table("credit") else {
        // More memory than that has to be asked for.
        flow.credit.bytes = flow.credit.bytes.min(flow.memory);
        return;
    };
    let credit = Fields::new(table, Section::Credit, |_| None, fields.mistakes());
    let default = Credit { bytes: Credit::default().bytes.min(flow.memory), ..Credit::default() };
    flow.credit.bytes = credit.bytes("bytes").unwrap_or(default.bytes);
    flow.credit.items = credit.count("items").unwrap_or(default.items);
    for (field, place) in [("bytes", Place::Flow("credit.bytes")), ("items", Place::Flow("credit.items"))] {
        if let Some(span) = credit.span(field) {
            places.add(place, "", span);
        }
    }
}

fn max_line(fields: &Fields<'_, '_>, flow: &FlowSpec) -> u64 {
    let Some(asked) = fields.bytes("max_line") else { return MAX_LINE.min(flow.memory) };
    if asked > flow.memory {
        let message = format!("`max_line` of {asked} bytes exceeds `memory`, which is {} bytes", flow.memory);
        let span = fields.span("max_line").unwrap_or_default();
        fields.add(Mistake::new(span, message).help("allow shorter lines, or raise `memory`"));
    }
    asked
}

/// Reads the pools, in the order of the text. False when they could not be read at all.
fn pools(fields: &Fields<'_, '_>, flow: &mut FlowSpec, places: &mut Places) -> bool {
    let Some(_) = fields.value("pool") else { return !fields.has_near("pool") };
    let Some(table) = fields.table("pool") else { return false };
    let mut pools: Vec<_> = table.iter().collect();
    pools.sort_by_key(|(path, _)| path.span().start);
    for (path, value) in pools {
        let index = flow.pools.len();
        let mut pool = Pool::new(path.get_ref().to_string());
        places.add(Place::Pool(index, "path"), &pool.path, path.span());
        if let DeValue::Table(table) = value.get_ref() {
            one_pool(fields, table, index, &mut pool, places);
        } else {
            let message = format!("pool {} is a table", pool.path);
            let help = format!("write [pool.\"{}\"] and its keys below it", pool.path);
            fields.add(Mistake::new(value.span(), message).help(help));
        }
        flow.pools.push(pool);
    }
    true
}

fn one_pool(
    fields: &Fields<'_, '_>,
    table: &DeTable<'_>,
    index: usize,
    pool: &mut Pool,
    places: &mut Places,
) {
    // [pool./lines] is no TOML, [pool.lines.more] is a pool `lines` with a table in it.
    let fields = Fields::new(table, Section::Pool, top_level, fields.mistakes());
    pool.kind = match fields.word("kind") {
        Some("trigger") => PoolKind::Trigger,
        _ => PoolKind::Volatile,
    };
    pool.value = value_type(&fields).unwrap_or_default();
    pool.keep = fields.count("keep").map_or(pool.keep, |keep| keep as usize);
    if let Some(span) = fields.span("keep") {
        places.add(Place::Pool(index, "keep"), "", span);
    }
}

/// A word, or a table that names a type of the handlers'.
fn value_type(fields: &Fields<'_, '_>) -> Option<ValueType> {
    if fields.value("type").is_none_or(|value| value.get_ref().is_str()) {
        return fields.word("type")?.parse().ok();
    }
    let Some(table) = fields.value("type").and_then(|value| value.get_ref().as_table()) else {
        fields.wrong("type", TYPE);
        return None;
    };
    let of = Fields::new(table, Section::Type, |_| None, fields.mistakes());
    let (blittable, packed) = (type_name(&of, "blittable"), type_name(&of, "packed"));
    let size = of.count("size");
    let there = TYPE_KEYS.map(|key| of.value(key).is_some());
    match (there, blittable, size, packed) {
        ([true, true, false], Some(name), Some(size), _) => {
            Some(ValueType::Blittable { name: name.into(), size: size as u32 })
        }
        ([false, false, true], _, _, Some(name)) => Some(ValueType::Packed { name: name.into() }),
        // What could not be read is a mistake already.
        ([true, true, false] | [false, false, true], ..) => None,
        _ if TYPE_KEYS.iter().any(|key| of.has_near(key)) => None,
        _ => {
            let message = format!("`type` of a pool must be {TYPE}");
            fields.add(Mistake::new(fields.span("type").unwrap_or_default(), message));
            None
        }
    }
}

/// The name of a type, which handlers compare with their own.
fn type_name<'a>(of: &Fields<'a, '_>, key: &str) -> Option<&'a str> {
    let name = of.filled(key, "give it the name that the handlers' type has")?;
    let (path, last) = name.rsplit_once(['.', ':']).unwrap_or(("", name));
    if path.is_empty() {
        return Some(name);
    }
    let message = format!("`{key}` of a type must be its name alone, without module or namespace");
    let span = of.span(key).unwrap_or_default();
    of.add(Mistake::new(span, message).mean((!last.is_empty()).then_some(last), "leave them out"));
    None
}

/// Help for a key of the flow that is below a table's head, which is easily done in TOML.
pub(crate) fn top_level(key: &str) -> Option<String> {
    let ours = Section::Flow.key(key).is_some() && key != "name";
    ours.then(|| format!("`{key}` belongs to the flow itself: move it up, above the first line in brackets"))
}

fn input(
    fields: &Fields<'_, '_>,
    files: &Files<'_>,
    flow: &FlowSpec,
    pools_known: bool,
) -> Vec<(String, PathBuf)> {
    let Some(table) = fields.table("input") else { return Vec::new() };
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(pool, _)| pool.span().start);
    let mut input = Vec::new();
    for (pool, file) in entries {
        let paths = || flow.pools.iter().map(|pool| pool.path.as_str());
        let (path, span): (&str, Range<usize>) = (pool.get_ref(), Spanned::span(pool));
        if pools_known && !paths().any(|known| known == path) {
            let message = format!("input for {path}, which is not a pool");
            let help = format!("the pools are {}", paths().collect::<Vec<_>>().join(", "));
            fields.add(Mistake::new(span.clone(), message).mean(nearest(path, paths()), help));
        }
        let of = flow.pools.iter().find(|pool| pool.path == path).map(|pool| &pool.value);
        if let Some(value @ (ValueType::Blittable { .. } | ValueType::Packed { .. })) = of {
            let message = format!(
                "input for {path}: its values are of type {value}, and input is read as lines of text"
            );
            let help = "put the lines into a pool of text, and let a handler make values of them";
            fields.add(Mistake::new(span, message).help(help));
        }
        match file.get_ref().as_str() {
            Some("-") => {
                if let Some((other, _)) = input.iter().find(|(_, file)| file == Path::new("-")) {
                    let message = format!("both {other} and {path} are read from standard input");
                    fields.add(Mistake::new(file.span(), message).help("give a file for one of them"));
                }
                input.push((path.to_owned(), PathBuf::from("-")));
            }
            Some("") => {
                let help = "give its path, or \"-\" for standard input";
                fields
                    .add(Mistake::new(file.span(), format!("input for {path}: no file is named")).help(help));
            }
            Some(word) => {
                let there = files.folder.join(word);
                files.input(path, word, &there, file.span()).into_iter().for_each(|wrong| fields.add(wrong));
                input.push((path.to_owned(), there));
            }
            None => {
                let message =
                    format!("the input of {path} must be the path of a file, or \"-\" for standard input");
                let label = format!("this is {}", crate::fields::a(file.get_ref()));
                fields.add(Mistake::new(file.span(), message).label(label));
            }
        }
    }
    input
}
