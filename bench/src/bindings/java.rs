//! Java: the generated classes over `java.lang.foreign` and over JNI beside both by hand.

use super::{Row, build, cargo, compile, library, measure, sources};
use crate::command::run;
use anyhow::Result;
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::fs;
use std::process::Command;
use upcall_bindgen::java::jdk;

/// Compiles the glue and the classes, and runs the program on the newest JDK; nothing where that is too old.
pub fn rows() -> Result<Vec<Row>> {
    let jdk = match jdk::find(jdk::FFM) {
        Ok(jdk) => jdk,
        Err(missing) => {
            eprintln!("measuring: Java is skipped: {missing}");
            return Ok(Vec::new());
        }
    };
    let (library, sources) = (library()?, sources().join("java"));
    let [ffm, jni] = ["ffm", "jni"].map(|mechanism| build().join(mechanism));
    let glue = cargo(&jni.join("jni"))?.join(format!("{DLL_PREFIX}upcall_bench_api_jni{DLL_SUFFIX}"));
    let by_hand = build().join(format!("by_hand_jni{DLL_SUFFIX}"));
    let include = jdk.home.join("include");
    let system = include.join(if cfg!(target_os = "macos") { "darwin" } else { "linux" });
    compile(&sources.join("by_hand.c"), &[&include, &system], &library, &by_hand)?;
    let classes = build().join("classes");
    fs::create_dir_all(&classes)?;
    let mut javac = Command::new(jdk.tool("javac"));
    javac.arg("-d").arg(&classes).arg("-sourcepath").arg(std::env::join_paths([&sources, &ffm, &jni])?);
    run(javac.arg(sources.join("Bench.java")))?;
    let mut java = Command::new(jdk.tool("java"));
    java.arg("--enable-native-access=ALL-UNNAMED");
    java.arg(format!("-Dupcall_bench_api.library={}", library.display()));
    java.arg(format!("-Dupcall_bench_api.library.jni={}", glue.display()));
    java.arg(format!("-Dbench.jni={}", by_hand.display()));
    measure("Java", java.arg("-cp").arg(classes).arg("Bench"))
}
