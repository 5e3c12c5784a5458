//! The TypeScript back end.
