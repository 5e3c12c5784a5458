//! Flow.
