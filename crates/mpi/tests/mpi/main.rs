//! The real MPIs, both of them: what one lacks, setup installs.

mod collectives;
mod left;
mod lifecycle;
mod messages;
mod support;
