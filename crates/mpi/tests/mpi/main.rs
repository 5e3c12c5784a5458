//! The real MPIs, both of them: what one lacks, setup installs.

mod attributes;
mod collectives;
mod failures;
mod groups;
mod handlers;
mod intercommunicators;
mod left;
mod lifecycle;
mod many;
mod messages;
mod operations;
mod processes;
mod support;
mod topologies;
mod types;
