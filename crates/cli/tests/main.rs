//! The tests of the `upcall` command: one program, because all share what is in `support`. Only `killed.rs`, which kills
//! what its process has started, is another.

mod support;

mod assemblyscript;
mod bindgen;
mod bindgen_check;
mod bindgen_inline;
mod bindgen_names;
mod c_guest;
mod check;
mod closed;
mod compiled;
mod copies;
mod describe;
mod dumping;
mod embedded;
mod embedded_hosts;
mod embedded_java;
mod ending;
mod errors;
mod extremes;
mod graph_build;
mod graph_communities;
mod graph_dump;
mod graph_ends;
mod graph_factors;
mod graph_full;
mod graph_guests;
mod graph_history;
mod graph_killed;
mod graph_run;
mod graph_walks;
mod input;
mod isolated;
mod isolated_later;
mod java_errors;
mod last_word;
mod later_csharp;
mod later_java;
mod later_rust;
mod libraries;
mod loading;
mod mpi;
mod mpi_stopping;
mod node;
mod node_later;
mod project;
mod project_node;
mod python_later;
mod ranks;
mod sandbox;
mod stopping;
mod together;
mod typed_java;
mod typed_orders;
mod warm;
#[cfg(feature = "wasm")]
mod wasm;
mod wordcount;

use std::fs;
use std::path::Path;

#[test]
fn every_file_beside_this_one_is_part_of_it_or_a_program() {
    let (this, manifest) = (include_str!("main.rs"), include_str!("../Cargo.toml"));
    for file in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        let program = manifest.contains(&format!("path = \"tests/{name}\""));
        if let Some(module) = name.strip_suffix(".rs").filter(|_| !program) {
            assert!(this.contains(&format!("\nmod {module};\n")), "main.rs has no `mod {module};`");
        }
    }
}
