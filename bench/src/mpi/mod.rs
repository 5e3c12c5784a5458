//! Messages between two ranks: ours and C's in one process, in turn; those of guests and of peers in processes of their own, each
//! beside C too.

pub mod charts;
pub mod guests;
pub mod launch;
pub mod peer;
pub mod rank;
pub mod rows;
pub mod targets;
pub mod turns;
