//! The Java back end.
