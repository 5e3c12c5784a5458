//! The real MPIs, both of them: what one lacks, setup installs.

mod checked;
mod collectives;
mod fields;
mod groups;
mod handlers;
mod intercommunicators;
mod left;
mod lifecycle;
mod messages;
mod operations;
mod support;
mod topologies;
mod types;
