//! `#[derive(Blit)]`.
