//! What a pool accepts: keys, values of its type, emissions of handlers that declare it.

use crate::hash::Look;
use crate::plan::{HandlerPlan, Plan, PoolPlan};
use crate::spec::ValueType;

/// What every pool takes: a key of UTF-8.
#[inline]
pub(crate) fn check_key(pool: &PoolPlan, look: Look, key: &[u8]) -> Result<(), String> {
    if look.ascii { Ok(()) } else { check_utf8(pool, key) }
}

/// Apart, as what is inlined for every object is to be small.
#[inline(never)]
fn check_utf8(pool: &PoolPlan, key: &[u8]) -> Result<(), String> {
    if std::str::from_utf8(key).is_ok() {
        return Ok(());
    }
    let (pool, key) = (&pool.path, key.escape_ascii());
    Err(format!("a key for {pool} is not UTF-8: {key}; put the bytes into the value, or encode them"))
}

/// What a pool takes: a key of UTF-8, a value of its type.
#[inline]
pub(crate) fn check(pool: &PoolPlan, look: Look, key: &[u8], value: &[u8]) -> Result<(), String> {
    check_key(pool, look, key)?;
    match &pool.value {
        ValueType::Bytes | ValueType::Packed { .. } => Ok(()),
        typed => check_value(typed, pool, key, value),
    }
}

/// Apart, as [`check_utf8`].
#[inline(never)]
fn check_value(typed: &ValueType, pool: &PoolPlan, key: &[u8], value: &[u8]) -> Result<(), String> {
    let key = || String::from_utf8_lossy(key);
    match typed {
        ValueType::Text if std::str::from_utf8(value).is_ok() => Ok(()),
        ValueType::Text => {
            Err(format!("a value of {} for {} is not UTF-8, and the pool's type is text", key(), pool.path))
        }
        typed if typed.size() == Some(value.len()) => Ok(()),
        typed => Err(format!(
            "a value of {} for {} has {} bytes, and the pool's type {typed} takes {}",
            key(),
            pool.path,
            value.len(),
            typed.size().unwrap_or(0)
        )),
    }
}

#[cold]
pub(crate) fn stores_nothing(pool: &PoolPlan) -> String {
    format!(
        "it emitted to {} on condition, a trigger pool, which stores no version to compare with: `put` it instead, or \
         make the pool's `kind` \"volatile\"",
        pool.path
    )
}

#[cold]
pub(crate) fn undeclared(pool: Option<&PoolPlan>, handler: &HandlerPlan, plan: &Plan) -> String {
    let to = plan.pools.iter().zip(&handler.may_emit).filter(|(_, may)| **may);
    let to: Vec<&str> = to.map(|(pool, _)| pool.path.as_str()).collect();
    let known = if to.is_empty() { "none".to_owned() } else { to.join(", ") };
    match pool.map(|pool| &pool.path) {
        Some(path) => {
            format!(
                "it emitted to pool {path}, which it does not declare; it has {known}: add {path} to its `to`"
            )
        }
        None => format!(
            "it emitted to a pool by an id that no pool has; it has {known}: ask for ids when it is opened"
        ),
    }
}
