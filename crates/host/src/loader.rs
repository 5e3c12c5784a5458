//! What the loader of shared libraries says when it refuses one.

use std::error::Error;

/// The loader's own words: the error alone says only that it failed.
pub(crate) fn why(error: &libloading::Error) -> String {
    error.source().map_or_else(|| error.to_string(), ToString::to_string)
}
