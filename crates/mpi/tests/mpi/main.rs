//! The real MPIs, both of them: what one lacks, setup installs.

mod collectives;
mod lifecycle;
mod messages;
mod support;
mod types;
