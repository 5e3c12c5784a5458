//! The real MPIs, both of them: what one lacks, setup installs.

mod collectives;
mod handlers;
mod left;
mod lifecycle;
mod messages;
mod operations;
mod support;
mod types;
