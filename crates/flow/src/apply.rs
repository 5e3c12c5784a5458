//! What the owner of a key does with a parcel before any handler sees it: versions, table, watchers.

use crate::parcel::{Parcel, key, value, weight};
use crate::plan::{Home, PoolPlan};
use crate::shared::Shared;
use std::sync::atomic::Ordering::Relaxed;
use upcall_abi::Item;

/// Gives every item its version and time, stores it where the pool has a table, tells the watchers. Items
/// that are refused or that remove a key leave the parcel, and the count of what is in flight.
pub(crate) fn apply(shared: &Shared, parcel: &mut Parcel, now: u64) {
    let pool = &shared.plan.pools[parcel.pool as usize];
    pool.puts.fetch_add(parcel.items.len() as u64, Relaxed);
    if !parcel.claims.is_empty() {
        return claimed(shared, pool, parcel, now);
    }
    if pool.home == Home::Putter {
        // Several threads may put the same key: the version is taken under the key's lock.
        for item in &mut parcel.items {
            // Without a condition it is not refused.
            let _ = stamp_and_store(pool, item, parcel.store, None, false, now);
        }
        return;
    }
    // All items of a parcel have one owner.
    let owner = match (pool.home, parcel.items.first()) {
        (Home::Keys, Some(item)) => item.tag as usize % shared.plan.general,
        _ => 0,
    };
    let (first, time, _storing) = pool.versions.begin(owner, parcel.items.len() as u64, now);
    for (version, item) in (first..).zip(&mut parcel.items) {
        (item.version, item.time) = (version, time);
    }
    if parcel.store && pool.table.is_some() || pool.watchers.any() {
        parcel.items.iter().for_each(|item| store(pool, item, parcel.store));
    }
}

/// Stores an item that has its version.
fn store(pool: &PoolPlan, item: &Item, store: bool) {
    // SAFETY: the parcel holds the chunks.
    let (key, value) = unsafe { (key(item), value(item)) };
    if let (true, Some(table)) = (store, &pool.table) {
        table.put(item.tag, key, Some(value), |_| Some((item.version, item.time)));
        bury_oldest(pool, item.tag, key, item.version);
    }
    if pool.watchers.any() {
        pool.watchers.tell(key, Some(value), item.version, item.time);
    }
}

/// A dead pool drops its oldest letter for each one beyond what it keeps.
fn bury_oldest(pool: &PoolPlan, hash: u64, key: &[u8], version: u64) {
    if let (Some(letters), Some(table)) = (&pool.letters, &pool.table)
        && let Some(oldest) = letters.push(hash, key, version)
    {
        table.forget(oldest.hash, &oldest.key, oldest.version);
    }
}

/// Takes a version under the key's lock. Returns the version found instead when `expect` is not met.
fn stamp_and_store(
    pool: &PoolPlan,
    item: &mut Item,
    store: bool,
    expect: Option<u64>,
    remove: bool,
    now: u64,
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
            pool.watchers.tell(key, kept, item.version, item.time);
        }
        Some((item.version, item.time))
    };
    match &pool.table {
        Some(table) if store => table.put(item.tag, key, kept, assign),
        _ => drop(assign(0)),
    }
    if store && outcome.is_ok() {
        bury_oldest(pool, item.tag, key, item.version);
    }
    outcome
}

/// The slow path: some items have claims.
fn claimed(shared: &Shared, pool: &PoolPlan, parcel: &mut Parcel, now: u64) {
    let mut claims = std::mem::take(&mut parcel.claims).into_iter().peekable();
    let (store, mut index, mut gone) = (parcel.store, 0, (0, 0));
    parcel.items.retain_mut(|item| {
        let claim = claims.next_if(|claim| claim.index == index);
        index += 1;
        let (expect, remove) = claim.as_ref().map_or((None, false), |claim| (claim.expect, claim.remove));
        let outcome = stamp_and_store(pool, item, store, expect, remove, now);
        match (&claim, outcome) {
            (Some(claim), Ok(())) => claim.accept(item.version),
            (Some(claim), Err(found)) => claim.refuse(found),
            (None, _) => {}
        }
        let stays = outcome.is_ok() && !remove;
        if !stays {
            gone = (gone.0 + 1, gone.1 + weight(item));
        }
        stays
    });
    parcel.bytes -= gone.1;
    shared.in_flight.sub(gone.0, gone.1);
    shared.in_flight.wake();
}
