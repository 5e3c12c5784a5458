//! Every kernel on every instruction set that this machine has, against plain loops; and the rules.

mod kernels;
mod pairwise;
mod rules;
mod sample;
