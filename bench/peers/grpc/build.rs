//! The client and the server that tonic's own generator makes of `handlers.proto`.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=handlers.proto");
    let files = protox::compile(["handlers.proto"], ["."])?;
    // A field of `bytes` shares the message's memory, where a `Vec` would be allocated for each key and each value.
    tonic_prost_build::configure().bytes(".").compile_fds(files)?;
    Ok(())
}
