//! A handler's settings: plain values as text, the rest as JSON text.

use crate::fields::{Mistakes, Value};
use crate::mistake::Mistake;
use serde_json::{Map, Number, Value as Json};
use toml::de::{DeTable, DeValue};

pub(crate) fn read(table: &DeTable<'_>, mistakes: &Mistakes) -> Vec<(String, String)> {
    let mut settings: Vec<_> = table.iter().collect();
    settings.sort_by_key(|(key, _)| key.span().start);
    let text = |value: &Value<'_>| match value.get_ref() {
        DeValue::String(text) => text.to_string(),
        DeValue::Float(float) => float.as_str().to_owned(),
        DeValue::Integer(integer) if integer.radix() == 10 => {
            integer.as_str().trim_start_matches('+').to_owned()
        }
        _ => match json(value, mistakes) {
            Json::String(text) => text,
            json => json.to_string(),
        },
    };
    settings.into_iter().map(|(key, value)| (key.get_ref().to_string(), text(value))).collect()
}

fn json(value: &Value<'_>, mistakes: &Mistakes) -> Json {
    let no_json = |what: &str| {
        let message = format!("a setting that is {what} cannot be written as JSON");
        let help = "lists and tables reach a handler as JSON text; write this one as a text in quotes";
        mistakes.borrow_mut().push(Mistake::new(value.span(), message).help(help));
        Json::Null
    };
    match value.get_ref() {
        DeValue::String(text) => Json::String(text.to_string()),
        DeValue::Boolean(flag) => Json::Bool(*flag),
        DeValue::Datetime(date) => Json::String(date.to_string()),
        DeValue::Integer(integer) => match i64::from_str_radix(integer.as_str(), integer.radix()) {
            Ok(number) => Json::Number(number.into()),
            Err(_) => no_json("a number beyond 64 bits"),
        },
        DeValue::Float(float) => match float.as_str().parse().ok().and_then(Number::from_f64) {
            Some(number) => Json::Number(number),
            None => no_json("infinite or not a number"),
        },
        DeValue::Array(values) => Json::Array(values.iter().map(|value| json(value, mistakes)).collect()),
        DeValue::Table(table) => {
            let fields = table.iter().map(|(key, value)| (key.get_ref().to_string(), json(value, mistakes)));
            Json::Object(fields.collect::<Map<_, _>>())
        }
    }
}
