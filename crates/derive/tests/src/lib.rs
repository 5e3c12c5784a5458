//! The docs of the macros, whose examples are tested here.
//!
//! A crate of its own, as the macros' crate is compiled for the machine that compiles: so would be all that its tests need, a
//! second time.
#![cfg_attr(doctest, doc = include_str!("../../docs/blit.md"))]
#![cfg_attr(doctest, doc = include_str!("../../docs/enumeration.md"))]
#![cfg_attr(doctest, doc = include_str!("../../docs/export.md"))]
#![cfg_attr(doctest, doc = include_str!("../../docs/pack.md"))]
#![cfg_attr(doctest, doc = include_str!("../../docs/soa.md"))]
