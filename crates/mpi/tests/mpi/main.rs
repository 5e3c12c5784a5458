//! The real MPIs, both of them: what one lacks, setup installs.

mod collectives;
mod groups;
mod intercommunicators;
mod lifecycle;
mod messages;
mod support;
mod topologies;
