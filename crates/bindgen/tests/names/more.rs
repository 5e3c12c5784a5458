/// Included.
#[unsafe(no_mangle)]
pub extern "C" fn included(inner: Alias) {}
