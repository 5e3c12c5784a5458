//! Bindings of real C headers compile, for both mechanisms, and zlib's run.
#![cfg(feature = "c")]

use bindgen_tests::java;
use std::path::{Path, PathBuf};
use upcall_bindgen::c::{self, Input};
use upcall_bindgen::java::{Mechanism, Options, generate, jdk};
use upcall_bindgen::model::Api;
use upcall_bindgen::{Diagnostics, File};

fn read(header: &str, include: &str) -> Option<Api> {
    let headers = vec![PathBuf::from(header)];
    if !headers[0].is_file() {
        return None;
    }
    let include = Some(include).filter(|include| !include.is_empty()).map(PathBuf::from);
    let input = Input { headers, include: include.into_iter().collect(), ..Input::default() };
    let mut diagnostics = Diagnostics { skip_unsupported: true, ..Diagnostics::default() };
    let mut api = c::read(&input, &mut diagnostics).unwrap();
    let name = Path::new(header).file_stem().unwrap();
    api.library = name.to_string_lossy().into_owned();
    Some(api)
}

fn compile(name: &str, api: &Api, options: &Options, release: &str) {
    // sqlite3.h has both.
    let renamed = [("fts5_tokenizer".to_owned(), "Fts5TokenizerMethods".to_owned())].into();
    let options = &Options { renamed, ..options.clone() };
    let mut diagnostics = Diagnostics { skip_unsupported: true, ..Diagnostics::default() };
    let files = generate(api, options, &mut diagnostics);
    assert!(!diagnostics.failed(), "{name}: {}", diagnostics.render(false));
    let folder = java::folder(&format!("header-{name}-{release}"));
    java::place(&folder, &files);
    let jdk = jdk::find(release.parse().unwrap()).unwrap();
    if let Err(said) = java::compile_with(&jdk, &folder, &["--release", release]) {
        panic!("{name}: {said}");
    }
}

#[test]
fn bindings_of_real_headers_compile() {
    let headers = [
        ("tests/c/awkward.h", ""),
        ("/usr/include/linux/videodev2.h", ""),
        ("/usr/include/zlib.h", ""),
        ("/usr/include/sqlite3.h", ""),
    ];
    let ffm = java::ffm();
    for (header, include) in headers {
        let Some(api) = read(header, include) else { continue };
        let name = api.library.clone();
        if ffm.is_some() {
            compile(&name, &api, &Options { enums: true, ..Options::default() }, "22");
        }
        compile(&name, &api, &Options { mechanism: Mechanism::Jni, ..Options::default() }, "17");
    }
}

const ZLIB: &str = "
import java.lang.foreign.Arena;
import zlib.Zlib;

final class Main {
    public static void main(String[] arguments) {
        try (Arena arena = Arena.ofConfined()) {
            System.out.println(Zlib.crc32(0L, arena.allocateFrom(\"hello\"), 5) & 0xffffffffL);
        }
    }
}
";

#[test]
fn zlib_is_called() {
    let (Some(jdk), Some(api)) = (java::ffm(), read("/usr/include/zlib.h", "")) else { return };
    let options = Options::default();
    let mut diagnostics = Diagnostics { skip_unsupported: true, ..Diagnostics::default() };
    let folder = java::folder("zlib");
    java::place(&folder, &generate(&api, &options, &mut diagnostics));
    java::place(&folder, &[File::new("Main.java", ZLIB)]);
    java::compile(&jdk, &folder).unwrap();
    let library = ["/usr/lib/x86_64-linux-gnu/libz.so", "/usr/lib/libz.so", "/usr/lib64/libz.so"];
    let library =
        library.into_iter().find(|path| Path::new(path).exists()).expect("zlib.h comes with its library");
    let output = java::run(&jdk, &folder, &[format!("-Dzlib.library={library}").as_ref()]);
    assert_eq!(java::said(&output), "907060870\n");
}
