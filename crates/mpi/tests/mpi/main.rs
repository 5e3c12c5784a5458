//! The real MPIs, both of them: what one lacks, setup installs.

mod accumulate;
mod attributes;
mod begun;
mod buffered;
mod checked;
mod collectives;
mod failures;
mod fields;
mod files;
mod groups;
mod handlers;
mod intercommunicators;
mod large;
mod left;
mod lifecycle;
mod many;
mod messages;
mod operations;
mod partitioned;
mod persistent;
mod processes;
mod requests;
mod support;
mod topologies;
mod types;
mod windows;
