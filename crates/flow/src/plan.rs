//! A flow, resolved: ids for pools and handlers, and who owns which key. Made once, before the start; it never
//! changes.

use crate::hash::Keys;
use crate::spec::{DeadLetterLimit, FlowSpec, OnSpec, Order, PoolKind, ValueType};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;
use upcall_host::{Host, Isolation, Module, Threads};

pub(crate) struct Plan {
    pub(crate) name: String,
    pub(crate) memory: u64,
    /// Bytes that a batch may emit behind its first item: with all workers at it, a quarter of the memory.
    pub(crate) room: u64,
    pub(crate) pools: Vec<PoolPlan>,
    pub(crate) handlers: Vec<HandlerPlan>,
    /// Workers that own keys. Behind them come those of guests with a thread of their own, and those of handlers that run
    /// in processes of their own.
    pub(crate) general: WorkerRange,
    /// All workers: the hosts that wrap each one.
    pub(crate) workers: Vec<Vec<Arc<dyn Host>>>,
    pub(crate) keys: Keys,
}

/// The code of a handler.
pub(crate) type Loaded = (Arc<dyn Host>, Box<dyn Module>);

pub(crate) struct PoolPlan {
    pub(crate) path: String,
    pub(crate) value: ValueType,
    pub(crate) stores: Stores,
    pub(crate) home: Home,
    /// In order of declaration.
    pub(crate) handlers: Vec<usize>,
    /// The dead pool of a pool; `None` for a dead pool itself.
    pub(crate) dead: Option<u32>,
}

/// What a pool stores.
#[derive(Clone, Copy)]
pub(crate) enum Stores {
    Nothing,
    /// So many versions of a key.
    Versions(usize),
    /// The newest dead letters within a limit.
    Letters(DeadLetterLimit),
}

/// Who assigns the versions of a pool and stores its objects.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Home {
    /// Whoever puts: no handler is waiting for them.
    Putter,
    /// The one of these workers that the key hashes to.
    Keys(WorkerRange),
}

pub(crate) struct HandlerPlan {
    pub(crate) spec: OnSpec,
    pub(crate) module: Box<dyn Module>,
    pub(crate) place: Place,
    /// Handlers upstream have a smaller one.
    pub(crate) rank: usize,
    /// Pool ids, ascending.
    pub(crate) watches: Vec<u32>,
    /// By pool id.
    pub(crate) may_emit: Vec<bool>,
    /// By pool id.
    pub(crate) may_read: Vec<bool>,
    /// Whether it is a guest that does not see the engine's memory, so that all it is given is copied.
    pub(crate) crosses: bool,
    /// Items in a batch at most.
    pub(crate) batch: usize,
    /// Handlers that what it emits may reach, of a higher rank.
    pub(crate) behind: Vec<usize>,
    /// The guest that it is written for, and whether it runs in processes of its own: for reports.
    pub(crate) guest: String,
    /// The cycle that it is part of, as `/a -> handler x -> /a`.
    pub(crate) cycle: Option<String>,
}

/// Which workers run a handler: the general ones, or others of its own.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// The one of these that the key hashes to.
    Keys(WorkerRange),
    /// Whichever of these is free first.
    Any(WorkerRange),
}

/// Workers whose numbers follow each other, 1 at least.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct WorkerRange {
    pub(crate) first: usize,
    pub(crate) count: usize,
}

impl WorkerRange {
    fn one(worker: usize) -> WorkerRange {
        WorkerRange { first: worker, count: 1 }
    }

    pub(crate) fn all(self) -> Range<usize> {
        self.first..self.first + self.count
    }

    /// The one of them that a key hashes to.
    #[inline]
    pub(crate) fn of_key(self, hash: u64) -> usize {
        self.first + Plan::share(hash, self.count as u64)
    }
}

impl Place {
    pub(crate) fn workers(self) -> WorkerRange {
        match self {
            Place::Keys(workers) | Place::Any(workers) => workers,
        }
    }
}

impl HandlerPlan {
    pub(crate) fn watches(&self, pool: usize) -> bool {
        self.watches.binary_search(&(pool as u32)).is_ok()
    }

    /// How often its guest may die with an item alone before the item is buried.
    pub(crate) fn restarts(&self) -> u32 {
        self.spec.isolated().map_or(Isolation::RESTARTS, |isolation| isolation.restarts)
    }

    /// How long an answer may take that comes later.
    pub(crate) fn deadline(&self) -> Option<Duration> {
        self.spec.deadline.or_else(|| self.spec.isolated()?.deadline)
    }

    /// The workers that run it, with an instance each.
    pub(crate) fn workers(&self) -> WorkerRange {
        self.place.workers()
    }
}

impl Plan {
    /// `code` is that of each handler.
    pub(crate) fn new(spec: FlowSpec, code: Vec<Loaded>) -> Plan {
        let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
        let general = WorkerRange { first: 0, count: spec.workers.unwrap_or(cores).max(1) };
        let ranks = crate::graph::ranks(&spec);
        let cycles = crate::graph::cycles(&spec, &|_| true);
        let declared = spec.pools.len();
        let paths: Vec<String> = spec.pools.iter().map(|pool| pool.path.clone()).collect();
        let dead_paths = paths.iter().map(|path| format!("{}{path}", crate::dead::ROOT));
        let paths: Vec<String> = paths.iter().cloned().chain(dead_paths).collect();
        let id = |path: &String| paths.iter().position(|known| known == path);

        let mut workers: Vec<Vec<Arc<dyn Host>>> = vec![Vec::new(); general.count];
        let mut alone: Vec<(&'static str, WorkerRange)> = Vec::new();
        let mut handlers = Vec::new();
        for (index, (on, (host, module))) in spec.handlers.iter().zip(code).enumerate() {
            let guest = host.guest();
            let place = match (on.isolated(), host.capabilities().threads) {
                (Some(isolation), _) => {
                    // They sleep while the processes work, so that they take nothing from the general ones.
                    let own = WorkerRange { first: workers.len(), count: isolation.workers };
                    workers.resize(own.all().end, Vec::new());
                    place(on.order, own, 0)
                }
                (None, Threads::One) => {
                    let known = alone.iter().find(|(name, _)| *name == guest).map(|(_, worker)| *worker);
                    Place::Keys(known.unwrap_or_else(|| {
                        let worker = WorkerRange::one(workers.len());
                        workers.push(Vec::new());
                        alone.push((guest, worker));
                        worker
                    }))
                }
                (None, _) => place(on.order, general, index),
            };
            let flags = |chosen: &Vec<String>| {
                let mut flags = vec![false; paths.len()];
                chosen.iter().filter_map(id).for_each(|pool| flags[pool] = true);
                flags
            };
            let watches = (0u32..).zip(&paths).filter(|(_, path)| crate::graph::covers(&on.on, path));
            let watches = watches.map(|(pool, _)| pool).collect();
            let (may_emit, may_read) = (flags(&on.to), flags(&on.read));
            let handler = HandlerPlan {
                spec: on.clone(),
                module,
                place,
                rank: ranks[index],
                watches,
                may_emit,
                may_read,
                crosses: !host.capabilities().sees_native_memory,
                batch: on.batch.unwrap_or(spec.batch).max(1),
                behind: Vec::new(),
                guest: match (on.isolated(), &on.code) {
                    (Some(_), Some(code)) => format!("{}, isolated", code.guest),
                    _ => guest.to_owned(),
                },
                cycle: cycles
                    .iter()
                    .find(|cycle| cycle.handlers.contains(&index))
                    .map(|cycle| cycle.path.clone()),
            };
            for hosts in &mut workers[place.workers().all()] {
                if !hosts.iter().any(|known| known.guest() == guest) {
                    hosts.push(host.clone());
                }
            }
            handlers.push(handler);
        }
        let pool = |index: usize| {
            let dead = index >= declared;
            let of = &spec.pools[index % declared];
            let watching = |handler: &usize| handlers[*handler].watches(index);
            let watching: Vec<usize> = (0..handlers.len()).filter(watching).collect();
            let stores = match (dead, of.kind) {
                (true, _) => Stores::Letters(spec.dead_letters.within(spec.memory, spec.pools.len())),
                (false, PoolKind::Volatile) => Stores::Versions(of.keep),
                (false, PoolKind::Trigger) => Stores::Nothing,
            };
            PoolPlan {
                path: paths[index].clone(),
                value: if dead { ValueType::Text } else { of.value.clone() },
                stores,
                home: home(&handlers, &watching, general),
                handlers: watching,
                dead: (!dead).then_some((index + declared) as u32),
            }
        };
        let pools: Vec<PoolPlan> = (0..paths.len()).map(pool).collect();
        for index in 0..handlers.len() {
            handlers[index].behind = behind(&handlers, &pools, index);
        }
        Plan {
            name: spec.name,
            memory: spec.memory,
            room: (spec.memory / (4 * workers.len() as u64)).min(spec.credit.bytes.max(1 << 20)),
            pools,
            handlers,
            general,
            workers,
            keys: Keys::default(),
        }
    }

    pub(crate) fn pool(&self, path: &str) -> Option<u32> {
        self.pools.iter().position(|pool| pool.path == path).map(|id| id as u32)
    }

    /// The worker that owns a key of a pool; `None` when whoever puts does.
    #[inline]
    pub(crate) fn owner(pool: &PoolPlan, hash: u64) -> Option<usize> {
        match pool.home {
            Home::Keys(workers) => Some(workers.of_key(hash)),
            Home::Putter => None,
        }
    }

    /// Which of so many equal shares a hash falls into. A multiplication where a remainder would be a division: it goes by
    /// the bits below the 32nd, as tables go by the lowest and the highest.
    #[inline]
    pub(crate) fn share(hash: u64, of: u64) -> usize {
        ((u64::from(hash as u32) * of) >> 32) as usize
    }

    #[inline]
    pub(crate) fn hash(&self, key: &[u8]) -> u64 {
        self.keys.look(key).hash
    }
}

/// The handlers that an emission of this one may lead to, of a higher rank.
fn behind(handlers: &[HandlerPlan], pools: &[PoolPlan], of: usize) -> Vec<usize> {
    let (mut reached, mut next) = (vec![false; handlers.len()], vec![of]);
    while let Some(handler) = next.pop() {
        let HandlerPlan { may_emit, watches, .. } = &handlers[handler];
        let emits = pools.iter().zip(may_emit).filter_map(|(pool, may)| may.then_some(pool));
        let letters = watches.iter().filter_map(|pool| pools[*pool as usize].dead);
        for to in emits.chain(letters.map(|dead| &pools[dead as usize])).flat_map(|pool| &pool.handlers) {
            if !std::mem::replace(&mut reached[*to], true) {
                next.push(*to);
            }
        }
    }
    let above = |handler: &usize| reached[*handler] && handlers[*handler].rank > handlers[of].rank;
    (0..handlers.len()).filter(above).collect()
}

/// Where a handler with this order runs, among so many workers; those of several handlers take turns at being the one.
fn place(order: Order, among: WorkerRange, turn: usize) -> Place {
    match order {
        Order::Single => Place::Keys(WorkerRange::one(among.first + turn % among.count)),
        Order::Any => Place::Any(among),
        Order::Key => Place::Keys(among),
    }
}

/// A single-file handler owns its pool, so that it sees one sequence of versions; else the general workers do as soon as
/// one handler is theirs, or runs in processes of its own: neither versions nor other handlers wait for those.
fn home(handlers: &[HandlerPlan], watching: &[usize], general: WorkerRange) -> Home {
    let watching = || watching.iter().map(|index| &handlers[*index]);
    let single = watching().find(|handler| handler.spec.order == Order::Single);
    let spread = |handler: &HandlerPlan| handler.workers() == general || handler.spec.isolated().is_some();
    match single.or_else(|| watching().next().filter(|_| !watching().any(spread))) {
        Some(handler) => Home::Keys(handler.workers()),
        None if watching().next().is_none() => Home::Putter,
        None => Home::Keys(general),
    }
}
