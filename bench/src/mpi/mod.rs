//! Messages between two ranks: ours and C's in one process, in turn; the peers' in processes of their own, each beside C too.

pub mod charts;
pub mod launch;
pub mod peer;
pub mod rank;
pub mod rows;
pub mod targets;
pub mod turns;
