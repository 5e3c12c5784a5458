//! A run over a graph whose edges change: over one graph after the other, each from where the run over the last one has got to.

use super::checkpoint::{Kept, identity};
use super::kernel::Kernel;
use super::native::Native;
use super::shared::Shared;
use super::{Checkpoint, Ended, Options, Running, heard, last, now, unpanicked};
use crate::change::{ChangeLog, Changed, Changes, Cuts, merge};
use crate::error::Error;
use crate::file::{Graph, Id};
use crate::program::{EdgeValue, Iteration, Program};
use crate::values::Values;
use crate::vertex::Context;
use std::sync::{Arc, PoisonError};
use std::time::Instant;
use upcall_abi::Blit;

/// A program that can be run over one graph after the other.
pub(super) trait Runnable<I: Id>: Sized {
    type Own: Blit;
    type Shown: Blit;
    type Edge: EdgeValue;
    /// What it is over one of them.
    type Over<'g>: Kernel<I, Own = Self::Own, Shown = Self::Shown, Edge = Self::Edge>;

    fn over(self, graph: &Graph) -> Result<Self::Over<'_>, Error>;

    /// What goes on to the next.
    fn back(over: Self::Over<'_>) -> Self;
}

impl<P: Program, I: Id> Runnable<I> for Native<P> {
    type Own = P::Own;
    type Shown = P::Shown;
    type Edge = P::Edge;
    type Over<'g> = Native<P>;

    fn over(self, _: &Graph) -> Result<Native<P>, Error> {
        Ok(self)
    }

    fn back(over: Native<P>) -> Native<P> {
        over
    }
}

/// What the run over one graph hands over to that over the next.
pub(super) struct HandOver<O, S, V> {
    pub(super) context: Context,
    pub(super) own: Shared<O>,
    pub(super) shown: [Shared<S>; 2],
    /// The values of the old graph's edges, where the program writes them.
    pub(super) edges: Option<Values<V>>,
    /// The vertices that are scheduled, without those that see the changes.
    pub(super) active: Vec<u64>,
    pub(super) ended: Vec<Iteration>,
    pub(super) cuts: Cuts,
}

/// The same, of a program over a graph.
pub(super) type HandOverOf<K, I> =
    HandOver<<K as Kernel<I>>::Own, <K as Kernel<I>>::Shown, <<K as Kernel<I>>::Edge as EdgeValue>::Stored>;

/// Why a run over one graph has ended, and what is left of it.
pub(super) enum RoundEnd<K, O, S, V> {
    /// It is the end of all.
    Ended(K, Ended<O, S, V>),
    /// The graph changes.
    Changed(K, Box<HandOver<O, S, V>>, ChangeLog),
}

/// The same, of a program over a graph.
pub(super) type RoundEndOf<K, I> = RoundEnd<
    K,
    <K as Kernel<I>>::Own,
    <K as Kernel<I>>::Shown,
    <<K as Kernel<I>>::Edge as EdgeValue>::Stored,
>;

impl<K, O, S, V> RoundEnd<K, O, S, V> {
    fn of<G>(self, program: impl FnOnce(K) -> G) -> RoundEnd<G, O, S, V> {
        match self {
            RoundEnd::Ended(kernel, ended) => RoundEnd::Ended(program(kernel), ended),
            RoundEnd::Changed(kernel, hand_over, log) => RoundEnd::Changed(program(kernel), hand_over, log),
        }
    }
}

/// Why the loop over iterations has ended, as the first worker says it.
pub(super) enum LoopEnd {
    /// After so many iterations.
    Ended(u64),
    Changed(Context, ChangeLog, Cuts),
}

/// What is known from the first graph to the last.
#[derive(Default)]
pub(super) struct Rounds {
    /// On how many threads vertices were updated at most.
    pub(super) threads: usize,
    /// How many changes were made.
    pub(super) made: u64,
    /// What they have come to.
    pub(super) changed: Changed,
    /// All of them, where the run is kept.
    pub(super) log: ChangeLog,
    /// When the run was kept last, or began.
    saved: Option<Instant>,
    /// Whether an iteration has ended since.
    has_ended_one: bool,
}

impl Rounds {
    pub(super) fn begin(&mut self) {
        self.saved.get_or_insert_with(Instant::now);
    }

    pub(super) fn ended(&mut self) {
        self.has_ended_one = true;
    }

    /// Whether the run is to be kept before its next iteration.
    pub(super) fn is_due(&mut self, checkpoint: &Checkpoint<'_>) -> bool {
        let has_ended_one = std::mem::take(&mut self.has_ended_one);
        has_ended_one && self.saved.is_none_or(|saved| saved.elapsed() >= checkpoint.every)
    }

    pub(super) fn kept(&mut self) {
        self.saved = Some(Instant::now());
    }
}

impl<K: Kernel<I>, I: Id> Running<'_, K, I> {
    /// What it has come to, for whoever goes on from there.
    pub(super) fn into_end(self, left: LoopEnd) -> Result<RoundEndOf<K, I>, Error> {
        match left {
            LoopEnd::Ended(iterations) => {
                let (own, shown) = (self.own.into_inner(), last(self.shown, iterations));
                let edges = self.edges.map(|edges| edges.into_files_order(iterations)).transpose()?;
                let edges = edges.unwrap_or_else(|| Vec::new().into());
                Ok(RoundEnd::Ended(self.kernel, Ended { own, shown, edges, iterations }))
            }
            LoopEnd::Changed(context, log, cuts) => {
                let hand_over = HandOver {
                    context,
                    own: self.own,
                    shown: self.shown,
                    edges: self.edges.map(|edges| last(edges.values, context.iteration)),
                    active: self.active[now(context).0].words(),
                    ended: self.ended.into_inner().unwrap_or_else(PoisonError::into_inner),
                    cuts,
                };
                Ok(RoundEnd::Changed(self.kernel, Box::new(hand_over), log))
            }
        }
    }

    /// Asks for changes after an iteration; nothing where the graph stays as it is.
    pub(super) fn changes(
        &self,
        done: &Iteration,
        rounds: &mut Rounds,
        options: &mut Options<'_>,
    ) -> Result<Option<(ChangeLog, Cuts)>, Error> {
        let Some(change) = &mut options.change else { return Ok(None) };
        let mut changes = Changes::new(self.graph, rounds.made);
        // A guest may be on the stack, through which no panic goes.
        unpanicked(|| change(done, &mut changes))?;
        // It may have taken long, and a run over which nothing changes might end here.
        heard(options.stop)?;
        if changes.is_empty() {
            return Ok(None);
        }
        let (log, cuts) = changes.into_cuts()?;
        rounds.made += log.len() as u64;
        let Changed { added, removed } = cuts.changed();
        rounds.changed.added += added;
        rounds.changed.removed += removed;
        if options.checkpoint.is_some() {
            rounds.log.append(&log);
        }
        Ok((!cuts.is_empty()).then_some((log, cuts)))
    }
}

/// What a program has come to.
pub(super) struct All<G: Runnable<I>, I: Id> {
    pub(super) program: G,
    pub(super) ended: Ended<G::Own, G::Shown, <G::Edge as EdgeValue>::Stored>,
    /// On how many threads.
    pub(super) threads: usize,
    /// How many changes were made.
    pub(super) changes: u64,
    /// What they have come to.
    pub(super) changed: Changed,
    /// The last graph, if it is another one than the first.
    pub(super) graph: Option<Arc<Graph>>,
}

/// Runs a program to its end.
pub(super) fn rounds<G: Runnable<I>, I: Id>(
    graph: &Graph,
    mut program: G,
    mut options: Options<'_>,
) -> Result<All<G, I>, Error> {
    let (mut rounds, mut changed) = (Rounds::default(), None);
    let mut hand_over: Option<HandOver<_, _, _>> = None;
    let mut kept =
        options.checkpoint.map_or(Ok(None), |checkpoint| Kept::of(checkpoint.file, options.memory))?;
    if let Some(kept) = &kept {
        let over = program.over(graph)?;
        kept.is_of(&identity(&over, graph, options.gauss_seidel))?;
        program = G::back(over);
        (rounds.log, rounds.changed) = kept.changes(graph)?;
        rounds.made = rounds.log.len() as u64;
        if let Some(resume) = &mut options.resume {
            unpanicked(|| resume(&rounds.log))?;
        }
        let cuts = Cuts::of(graph, &rounds.log, 0)?;
        if !cuts.is_empty() {
            changed = Some(merge(graph, &rounds.log, &cuts, options.made(), options.stop)?);
        }
    }
    let (program, ended) = loop {
        let over = changed.as_ref().unwrap_or(graph);
        let context = hand_over.as_ref().map(|hand_over| hand_over.context);
        let running = Running::new((graph, over), program.over(over)?, &options, hand_over.take())?;
        let context = kept.take().map_or(Ok(context), |kept| running.resume(&kept).map(Some))?;
        let end = running.run(context, &mut rounds, &mut options)?.of(G::back);
        match end {
            RoundEnd::Ended(program, ended) => break (program, ended),
            RoundEnd::Changed(goes_on, next, log) => {
                program = goes_on;
                let graph = merge(over, &log, &next.cuts, options.made(), options.stop)?;
                hand_over = Some(*next);
                changed = Some(graph);
            }
        }
    };
    if let Some(checkpoint) = options.checkpoint.filter(|checkpoint| !checkpoint.stays) {
        // Where it cannot be removed, it is not gone on from: nothing is left to be done.
        let _ = std::fs::remove_file(checkpoint.file);
    }
    let Rounds { threads, made, changed: sum, .. } = rounds;
    Ok(All { program, ended, threads, changes: made, changed: sum, graph: changed.map(Arc::new) })
}
