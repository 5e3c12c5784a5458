//! What the owner of a key does with a parcel before any handler sees it: versions, table, watchers.

use crate::parcel::{Parcel, key, value, weight};
use crate::plan::Home;
use crate::shared::Shared;
use crate::state::PoolState;
use crate::table::Table;
use crate::ticket::Told;
use std::sync::atomic::Ordering::Relaxed;
use upcall_abi::Item;

/// Gives every item its version and time, stores it where the pool has a table, tells the watchers. Items
/// that are refused or that remove a key leave the parcel, and the count of what is in flight.
pub(crate) fn apply(shared: &Shared, parcel: &mut Parcel, now: u64) {
    let pool = &shared.pools[parcel.pool as usize];
    let home = shared.plan.pools[parcel.pool as usize].home;
    let stored = || pool.table.as_ref().map_or(0, |table| table.bytes());
    let before = stored();
    let mut told = Told::default();
    if parcel.claims.is_empty() {
        plain(pool, home, &mut parcel.items, parcel.store, now, &mut told);
    } else {
        claimed(shared, pool, home, parcel, now, &mut told);
    }
    // Without what was refused or has removed its key.
    pool.puts.fetch_add(parcel.items.len() as u64, Relaxed);
    if stored() > before {
        shared.bound_memory(|| {
            format!("when pool {} stored an object", shared.plan.pools[parcel.pool as usize].path)
        });
    }
    // Foreign code, which may read this pool, or wait for a thread that does: no lock of ours is held here.
    told.say(shared);
}

/// Items without a claim, all at once.
fn plain(pool: &PoolState, home: Home, items: &mut [Item], keep: bool, now: u64, told: &mut Told) {
    if items.is_empty() {
        return;
    }
    if home == Home::Putter {
        // Several threads may put the same key: the version is taken under the key's lock.
        for item in items {
            // Without a condition it is not refused.
            let _ = stamp_and_store(pool, item, keep, None, false, now, told);
        }
        return;
    }
    // All items of a parcel have one owner.
    let owner = match (home, items.first()) {
        (Home::Keys(workers), Some(item)) => workers.of_key(item.tag) - workers.first,
        _ => 0,
    };
    let (first, time, _storing) = pool.versions.begin(owner, items.len() as u64, now);
    for (version, item) in (first..).zip(&mut *items) {
        (item.version, item.time) = (version, time);
    }
    if keep && pool.table.is_some() || pool.watchers.any() {
        items.iter().for_each(|item| store(pool, item, keep, told));
    }
}

/// Stores an item that has its version.
fn store(pool: &PoolState, item: &Item, store: bool, told: &mut Told) {
    // SAFETY: the parcel holds the chunks.
    let (key, value) = unsafe { (key(item), value(item)) };
    if let (true, Some(table)) = (store, &pool.table) {
        put(pool, table, item.tag, key, Some(value), |_| Some((item.version, item.time)));
    }
    if pool.watchers.any() {
        pool.watchers.tell(key, Some(value), item.version, item.time, &mut told.watchers);
    }
}

/// As [`Table::put`]; a dead pool keeps within its limit.
fn put(
    pool: &PoolState,
    table: &Table,
    hash: u64,
    key: &[u8],
    value: Option<&[u8]>,
    assign: impl FnOnce(u64) -> Option<(u64, u64)>,
) {
    match &pool.letters {
        Some(letters) => letters.put(table, hash, key, value, assign),
        None => table.put(hash, key, value, assign),
    }
}

/// Takes a version under the key's lock. Returns the version found instead when `expect` is not met.
fn stamp_and_store(
    pool: &PoolState,
    item: &mut Item,
    store: bool,
    expect: Option<u64>,
    remove: bool,
    now: u64,
    told: &mut Told,
) -> Result<(), u64> {
    // SAFETY: the parcel holds the chunks.
    let (key, value) = unsafe { (key(item), value(item)) };
    let kept = (!remove).then_some(value);
    let mut outcome = Ok(());
    let mut assign = |found: u64| {
        if expect.is_some_and(|expect| expect != found) {
            outcome = Err(found);
            return None;
        }
        (item.version, item.time) = pool.versions.take(1, now);
        if pool.watchers.any() {
            pool.watchers.tell(key, kept, item.version, item.time, &mut told.watchers);
        }
        Some((item.version, item.time))
    };
    match &pool.table {
        Some(table) if store => put(pool, table, item.tag, key, kept, assign),
        _ => drop(assign(0)),
    }
    outcome
}

/// The items with a claim one by one, those between them as ever.
fn claimed(shared: &Shared, pool: &PoolState, home: Home, parcel: &mut Parcel, now: u64, told: &mut Told) {
    let claims = std::mem::take(&mut parcel.claims);
    let (mut from, mut gone) = (0, Vec::new());
    for claim in claims {
        plain(pool, home, &mut parcel.items[from..claim.index], parcel.store, now, told);
        from = claim.index + 1;
        let item = &mut parcel.items[claim.index];
        let outcome = stamp_and_store(pool, item, parcel.store, claim.expect, claim.remove, now, told);
        claim.asker.tell(outcome.map(|()| item.version), told);
        if outcome.is_err() || claim.remove {
            gone.push(claim.index);
        }
    }
    plain(pool, home, &mut parcel.items[from..], parcel.store, now, told);
    if !gone.is_empty() {
        let bytes = gone.iter().map(|index| weight(&parcel.items[*index])).sum();
        let (mut index, mut leaving) = (0, gone.iter().peekable());
        parcel.items.retain(|_| {
            index += 1;
            leaving.next_if_eq(&&(index - 1)).is_none()
        });
        parcel.bytes -= bytes;
        shared.in_flight.sub(gone.len() as u64, bytes);
    }
}
