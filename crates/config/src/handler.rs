use crate::fields::Fields;
use crate::files::Files;
use crate::flow::top_level;
use crate::keys::{self, Section};
use crate::mistake::Mistake;
use crate::place::Places;
use crate::{isolation, settings, warm};
use std::ops::Range;
use toml::de::{DeTable, DeValue};
use upcall_flow::{FlowSpec, OnSpec, Order, Place, ValueType};
use upcall_host::{GUESTS, HandlerSpec, KnownGuest};

/// Reads the handlers into `flow`. Returns the names of those that are isolated because the text says so.
pub(crate) fn read(
    fields: &Fields<'_, '_>,
    files: &Files<'_>,
    flow: &mut FlowSpec,
    places: &mut Places,
) -> Vec<String> {
    let Some(value) = fields.value("handler") else { return Vec::new() };
    let DeValue::Array(handlers) = value.get_ref() else {
        let mistake = Mistake::new(value.span(), "`handler` of a flow is a list of tables");
        fields.add(mistake.help("write [[handler]], in two pairs of brackets, above each one"));
        return Vec::new();
    };
    let mut isolated = Vec::new();
    for (index, value) in handlers.iter().enumerate() {
        let Some(table) = value.get_ref().as_table() else {
            let mistake = Mistake::new(value.span(), "a handler is a table");
            fields.add(mistake.help("write [[handler]] and its keys below it"));
            continue;
        };
        let fields = Fields::new(table, Section::Handler, top_level, fields.mistakes());
        let handler = Handler { fields, head: value.span(), index, files };
        let read = handler.read(flow, places);
        let apart = read.code.as_ref().is_some_and(|code| code.isolation.is_some());
        if apart && isolation::is_written(&handler.fields) {
            isolated.push(read.name.clone());
        }
        flow.handlers.push(read);
    }
    isolated
}

struct Handler<'a, 'i> {
    fields: Fields<'a, 'i>,
    /// `[[handler]]`.
    head: Range<usize>,
    index: usize,
    files: &'a Files<'a>,
}

impl Handler<'_, '_> {
    fn read(&self, flow: &FlowSpec, places: &mut Places) -> OnSpec {
        let fields = &self.fields;
        let name = match self.required("name", "a name, to find it by in messages", places) {
            Some(name) => name.to_owned(),
            None => format!("number {}", self.index + 1),
        };
        let on = self.required("on", "the pool that it watches", places).unwrap_or("?");
        let mut spec = OnSpec::new(&name, on);
        spec.to = self.paths("to", places);
        spec.read = self.paths("read", places);
        spec.order = match fields.word("order") {
            Some("any") => Order::Any,
            Some("single") => Order::Single,
            _ => Order::Key,
        };
        spec.batch = fields.count("batch").map(|batch| batch as usize);
        // One that is written wrong is a mistake of its own, and its delay is none.
        let meant = fields.span("retry").is_some() || fields.has_near("retry");
        spec.retry = fields.count("retry").unwrap_or(meant.into()) as u32;
        spec.retry_delay = fields.time("retry_delay").unwrap_or_default();
        spec.in_flight = fields.count("in_flight").map(|items| items as usize);
        spec.rate = fields.rate("rate");
        for field in ["retry_delay", "batch", "in_flight", "rate", "deadline", "memory"] {
            if let Some(span) = fields.span(field) {
                places.add(self.place(field), "", span);
            }
        }
        spec.cycle = fields.flag("cycle").unwrap_or(false);
        if let Some(span) = fields.span("cycle") {
            places.add(self.place("cycle"), "", span);
        }
        let settings = fields.table("settings");
        spec.settings =
            settings.map_or(Vec::new(), |table: &DeTable<'_>| settings::read(table, fields.mistakes()));
        if let Some(span) = fields.span("warm") {
            let watched = flow.pools.iter().find(|pool| spec.watches(&pool.path));
            spec.warm = warm::read(fields, watched.map_or(&ValueType::Bytes, |pool| &pool.value));
            places.add(self.place("warm"), "", span);
        }
        spec.code = self.code(&name);
        let guest = spec.code.as_ref().and_then(|code| KnownGuest::named(&code.guest));
        let isolation = if self.is_given() {
            isolation::refuse(fields, &name);
            None
        } else {
            isolation::read(fields, &name, self.index, guest, places)
        };
        match isolation {
            Some(isolation) if spec.code.is_some() => spec.isolation(isolation),
            Some(_) => spec,
            None => {
                if let (Some(code), Some(guest)) = (&mut spec.code, guest)
                    && guest.bounded
                {
                    code.limits.memory = fields.bytes("memory");
                }
                OnSpec { deadline: fields.time("deadline"), ..spec }
            }
        }
    }

    fn place(&self, field: &'static str) -> Place {
        Place::Handler(self.index, field)
    }

    fn required(&self, key: &'static str, what: &str, places: &mut Places) -> Option<&str> {
        let text = self.fields.text(key);
        let span = self.fields.span(key);
        if span.is_none() && !self.fields.has_near(key) {
            self.missing(key, what);
        }
        match text {
            Some(text) => places.add(self.place(key), text, span.unwrap_or_default()),
            None => places.unread(self.place(key)),
        }
        text
    }

    fn missing(&self, key: &str, what: &str) {
        let name = self.fields.quiet_text("name").map_or(String::new(), |name| format!(" {name}"));
        let mistake = Mistake::new(self.head.clone(), format!("handler{name} has no `{key}`"));
        self.fields.add(mistake.help(format!("give it {what}: {key} = \"…\"")));
    }

    fn paths(&self, key: &'static str, places: &mut Places) -> Vec<String> {
        let texts = self.fields.texts(key);
        for (text, span) in &texts {
            places.add(self.place(key), text, span.clone());
        }
        texts.into_iter().map(|(text, _)| text.to_owned()).collect()
    }

    /// Whether the program gives it: it names no code, and was probably not meant to.
    fn is_given(&self) -> bool {
        let fields = &self.fields;
        let names = |key| fields.value(key).is_some() || fields.has_near(key);
        self.files.given && !names("class") && !GUESTS.iter().any(|guest| names(guest.name))
    }

    /// The one guest that is named, its file and class.
    fn code(&self, name: &str) -> Option<HandlerSpec> {
        let fields = &self.fields;
        let named: Vec<&KnownGuest> =
            GUESTS.into_iter().filter(|guest| fields.value(guest.name).is_some()).collect();
        let guest = match named.as_slice() {
            [one] => *one,
            [] if GUESTS.iter().any(|guest| fields.has_near(guest.name)) => return None,
            [] if self.files.given => {
                if let Some(span) = fields.span("class") {
                    let message = format!("handler {name} has a `class`, and no file that it would be in");
                    let files = keys::one_of(|guest| format!("{} = \"…\"", guest.name), "or");
                    let help = format!(
                        "give its file: {files}; or leave `class` out, and let the program give the handler"
                    );
                    fields.add(Mistake::new(span, message).help(help));
                }
                return None;
            }
            [] => {
                let mistake = Mistake::new(self.head.clone(), format!("handler {name} has no code"));
                let files = keys::one_of(|guest| format!("{} = \"…\"", guest.name), "or");
                let program = "or run the flow in a program that gives the handler (docs/embedding.md)";
                fields.add(mistake.help(format!("give its file: {files}, and its `class`; {program}")));
                return None;
            }
            [first, second, ..] => {
                let message =
                    format!("handler {name} has code both in {} and in {}", first.name, second.name);
                let span = fields.span(second.name).unwrap_or_default();
                fields.add(Mistake::new(span, message).help("keep one of the two"));
                return None;
            }
        };
        let class = fields.filled("class", &format!("give it {}", guest.class));
        if fields.value("class").is_none() && !fields.has_near("class") {
            self.missing("class", guest.class);
        }
        let word = fields.text(guest.name)?;
        let span = fields.span(guest.name).unwrap_or_default();
        if word.is_empty() {
            fields.add(
                Mistake::new(span, format!("`{}` of handler {name} is empty", guest.name))
                    .help("give the path of its code"),
            );
            return None;
        }
        let file = guest.file.named(self.files.folder.join(word));
        self.files.code(name, guest, word, &file, span).into_iter().for_each(|wrong| fields.add(wrong));
        Some(HandlerSpec::new(name, guest.name, file, class?))
    }
}
