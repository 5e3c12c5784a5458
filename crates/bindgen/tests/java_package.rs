//! A package as a whole: its module, its annotations, and names that Java uses otherwise.
#![cfg(feature = "c")]

use bindgen_tests::java;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use upcall_bindgen::c::{self, Input};
use upcall_bindgen::java::{Mechanism, Options, generate, jdk};
use upcall_bindgen::{Config, Diagnostics, File, Output, Stop, check};

/// Writes the bindings of a header.
fn bindings(folder: &Path, header: &Path, library: &str, options: &Options) {
    let input = Input { headers: vec![header.to_owned()], ..Input::default() };
    let mut diagnostics = Diagnostics::default();
    let mut api = c::read(&input, &mut diagnostics).expect("the header is read");
    api.library = library.into();
    let files = generate(&api, options, &mut diagnostics);
    assert!(diagnostics.list.is_empty(), "{}", diagnostics.render(false));
    java::place(folder, &files);
}

fn library(folder: &Path, name: &str, source: &Path) -> PathBuf {
    let library = folder.join(format!("lib{name}.so"));
    let mut cc = Command::new("cc");
    cc.args(["-shared", "-fPIC", "-w", "-o"]).arg(&library).arg(source);
    assert!(cc.status().expect("cc runs").success(), "the library compiles");
    library
}

fn compile(jdk: &jdk::Jdk, folder: &Path, options: &[&str]) {
    java::compile_with(jdk, folder, options).unwrap_or_else(|said| panic!("{said}"));
}

const MODULAR: &str = "
package app;

import typed.Box;
import typed.Typed;

public final class Main {
    public static void main(String[] arguments) {
        Box[] opened = new Box[1];
        Typed.boxOpen(\"modular\", opened);
        try (Box box = opened[0]) {
            System.out.println(Typed.boxName(box) + \" \" + Typed.class.getModule().getName());
        }
    }
}
";

#[test]
fn a_modular_program_uses_the_module() {
    let jdk = jdk::find(jdk::FFM).expect("a JDK");
    let folder = java::folder("module");
    let (library_folder, program) = (folder.join("library"), folder.join("program"));
    let options = Options {
        module: Some("typed.bindings".into()),
        released: [("box".to_owned(), "box_close".to_owned())].into(),
        ..Options::default()
    };
    bindings(&library_folder, Path::new("tests/java/typed.h"), "typed", &options);
    compile(&jdk, &library_folder, &[]);
    let module = "module app { requires typed.bindings; }";
    java::place(&program, &[File::new("module-info.java", module), File::new("app/Main.java", MODULAR)]);
    let classes = library_folder.join("classes");
    compile(&jdk, &program, &["--module-path", &classes.to_string_lossy()]);
    let library = library(&folder, "typed", Path::new("tests/java/typed.c"));
    let path = std::env::join_paths([classes, program.join("classes")]).expect("a path");
    let mut java = Command::new(jdk.tool("java"));
    java.arg("--enable-native-access=typed.bindings").arg("--module-path").arg(path);
    java.arg(format!("-Dtyped.library={}", library.display())).args(["-m", "app/app.Main"]);
    let output = java.output().expect("java runs");
    assert_eq!(java::said(&output), "modular typed.bindings\n");
}

/// What the program sees of JSpecify's annotations, whose sources stand beside it with the targets of the real ones.
const ANNOTATED: &str = "
import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Method;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import typed.*;

final class Main {
    static boolean may(AnnotatedType type) {
        return type.isAnnotationPresent(Nullable.class);
    }

    public static void main(String[] arguments) throws Exception {
        Method larger = Typed.class.getMethod(\"boxLarger\", Box.class, Box.class);
        Method open = Typed.class.getMethod(\"boxOpen\", String.class, Box[].class);
        Method sized = Typed.class.getMethod(\"doubleSize\", java.lang.foreign.SegmentAllocator.class, Size.class);
        Method text = NativeMemory.class.getMethod(\"text\", MemorySegment.class);
        AnnotatedType out = open.getAnnotatedParameterTypes()[1];
        AnnotatedType[] of = {
            larger.getAnnotatedReturnType(), larger.getAnnotatedParameterTypes()[0],
            open.getAnnotatedParameterTypes()[0], out,
            ((AnnotatedArrayType) out).getAnnotatedGenericComponentType(), text.getAnnotatedReturnType(),
            sized.getAnnotatedReturnType(), sized.getAnnotatedParameterTypes()[1],
            text.getAnnotatedParameterTypes()[0],
        };
        for (AnnotatedType type : of) {
            System.out.print(may(type) + \" \");
        }
        System.out.println(Typed.class.getPackage().isAnnotationPresent(NullMarked.class));
    }
}
";

/// With the targets that the real annotations have.
fn stand_in(name: &str, targets: &str) -> File {
    let text = format!(
        "package org.jspecify.annotations;\n\nimport java.lang.annotation.*;\n\n\
         @Documented @Target({{{targets}}}) @Retention(RetentionPolicy.RUNTIME)\npublic @interface {name} {{}}\n"
    );
    File::new(format!("org/jspecify/annotations/{name}.java"), text)
}

fn stand_ins() -> [File; 2] {
    let marked = "ElementType.MODULE, ElementType.PACKAGE, ElementType.TYPE, ElementType.METHOD, \
                  ElementType.CONSTRUCTOR";
    [stand_in("Nullable", "ElementType.TYPE_USE"), stand_in("NullMarked", marked)]
}

#[test]
fn nullness_is_annotated_on_request() {
    let jdk = jdk::find(jdk::FFM).expect("a JDK");
    let folder = java::folder("jspecify");
    let options = Options { jspecify: true, ..Options::default() };
    bindings(&folder, Path::new("tests/java/typed.h"), "typed", &options);
    java::place(&folder, &stand_ins());
    java::place(&folder, &[File::new("Main.java", ANNOTATED)]);
    compile(&jdk, &folder, &[]);
    let said = java::said(&java::run(&jdk, &folder, &[]));
    assert_eq!(said, "true true true true true true false false false true\n");
}

#[test]
fn an_annotated_module_names_the_module_of_the_annotations() {
    let jdk = jdk::find(jdk::FFM).expect("a JDK");
    let folder = java::folder("jspecify-module");
    let (annotations, library) = (folder.join("annotations"), folder.join("library"));
    java::place(&annotations, &stand_ins());
    let module = "module org.jspecify { exports org.jspecify.annotations; }";
    java::place(&annotations, &[File::new("module-info.java", module)]);
    compile(&jdk, &annotations, &[]);
    let options = Options { jspecify: true, module: Some("typed".into()), ..Options::default() };
    bindings(&library, Path::new("tests/java/typed.h"), "typed", &options);
    compile(&jdk, &library, &["--module-path", &annotations.join("classes").to_string_lossy()]);
}

#[test]
fn what_the_options_ask_for_passes_its_check() {
    let folder = java::folder("package-check");
    let options = Options {
        jspecify: true,
        module: Some("typed".into()),
        prefixes: vec!["box_".into()],
        methods: true,
        released: [("box".to_owned(), "box_close".to_owned())].into(),
        ..Options::default()
    };
    let config = Config {
        library: "typed".into(),
        c: Some(Input { headers: vec!["tests/java/typed.h".into()], ..Input::default() }),
        java: Some(Output { output: folder.clone(), options }),
        ..Config::default()
    };
    let made = upcall_bindgen::generate(&config, &mut Diagnostics::default()).expect("it was made");
    let room = folder.join("target");
    let passed = check::run(&config, &made, &room, &Stop::default(), &mut |step| eprintln!("{step}"));
    assert!(passed, "--check passes");
}

#[test]
fn nullness_is_documented_in_each_signature() {
    let folder = java::folder("nullness");
    bindings(&folder, Path::new("tests/java/typed.h"), "typed", &Options::default());
    let text = std::fs::read_to_string(folder.join("typed/Typed.java")).expect("it was written");
    for line in [
        "@param allocator makes the memory of the result; not null",
        "@param what not null",
        "@param one may be null",
        "@param out is written; may be null",
        "@return may be null",
        "@return not null",
    ] {
        assert!(text.contains(line), "{line} is missing");
    }
    assert!(!text.contains("@Nullable"), "there are no annotations unless they are asked for");
}

/// Methods of every object, and words of Java that C does not keep for itself.
const METHODS: &str = "wait notify notifyAll getClass hashCode toString finalize clone equals close segment
    class import package final native synchronized yield record var sealed permits boolean byte new this super
    throws try catch finally implements interface instanceof null true false assert transient exports module when";

/// Classes of Java, and those that the bindings have themselves.
const TYPES: &str = "String Object System Arena MemorySegment Thread Integer Math Override Record Iterable Number
    Function ByteBuffer List ArrayList Native NativeHandle NativeMemory NativeLibrary NativeBuffer Scratch Whose Kept
    Names Class Void Enum Module Process Runnable Throwable Exception WrongThreadException AssertionError Cell
    StandardCharsets Release Nullable VarHandle MethodHandles Path Files Linker Cleaner Consumer SegmentAllocator
    ValueLayout Reference Objects Boolean Byte Comparable Error ThreadLocal UnsatisfiedLinkError CodeSource URI
    AutoCloseable SuppressWarnings Deprecated FunctionalInterface SafeVarargs StackOverflowError ArithmeticException
    ArrayDeque AtomicReference Iterator Optional SymbolLookup FunctionDescriptor MemoryLayout GroupLayout";

/// The header, and the library's source.
fn named() -> (String, String) {
    let (mut header, mut source) = (String::new(), "#include \"names.h\"\n".to_owned());
    let fields: String = METHODS.split_whitespace().map(|word| format!("int {word}; ")).collect();
    let _ = writeln!(header, "struct fields {{ {fields} }};\nint first(struct fields *fields);");
    let _ = writeln!(source, "int first(struct fields *fields) {{ return fields->wait; }}");
    for word in METHODS.split_whitespace() {
        let _ = writeln!(header, "int {word}(int {word});");
        let _ = writeln!(source, "int {word}(int value) {{ return value + 1; }}");
    }
    for word in TYPES.split_whitespace() {
        let _ = writeln!(
            header,
            "typedef struct {word} {{ int {word}; struct {word} *next; const char *text; }} {word};\n\
             struct open_{word};\n\
             int use_{word}({word} {word}, struct {word} *next, struct open_{word} *open, const char *var, \
             int (*thrown)(struct {word} *), struct open_{word} **result, unsigned char *scratch, \
             char **address);"
        );
        let _ = writeln!(
            source,
            "int use_{word}(struct {word} a, struct {word} *b, struct open_{word} *c, const char *d, \
             int (*e)(struct {word} *), struct open_{word} **f, unsigned char *g, \
             char **h) {{ return a.{word}; }}"
        );
    }
    (header, source)
}

const NAMED: &str = "
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import names.*;

final class Main {
    public static void main(java.lang.String[] arguments) {
        int sum = NamesLibrary.wait_(1) + NamesLibrary.notify_(1) + NamesLibrary.getClass_(1)
                + NamesLibrary.hashCode_(1) + NamesLibrary.toString_(1) + NamesLibrary.finalize_(1)
                + NamesLibrary.clone_(1) + NamesLibrary.equals_(1) + NamesLibrary.class_(1);
        try (Arena arena = Arena.ofConfined()) {
            String_ text = String_.allocate(arena).String(4);
            sum += NamesLibrary.use_String(text, text.next(text).next(), null, \"text\", null, null, (byte[]) null, null);
            sum += NamesLibrary.first(Fields.allocate(arena).wait_(1).getClass_(5));
        }
        java.lang.System.out.println(sum);
    }
}
";

#[test]
fn ordinary_names_compile_and_are_called() {
    let folder = java::folder("names");
    let (header, source) = named();
    java::place(&folder, &[File::new("names.h", header), File::new("names.c", source)]);
    let library = library(&folder, "names", &folder.join("names.c"));
    let (ffm, jni) = (folder.join("ffm"), folder.join("jni"));
    bindings(&ffm, &folder.join("names.h"), "names", &Options { jspecify: true, ..Options::default() });
    java::place(&ffm, &stand_ins());
    java::place(&ffm, &[File::new("Main.java", NAMED)]);
    let jdk = jdk::find(jdk::FFM).expect("a JDK");
    compile(&jdk, &ffm, &[]);
    let property = format!("-Dnames.library={}", library.display());
    assert_eq!(java::said(&java::run(&jdk, &ffm, &[property.as_ref()])), "23\n");
    let options = Options { mechanism: Mechanism::Jni, ..Options::default() };
    bindings(&jni, &folder.join("names.h"), "names", &options);
    compile(&jdk::find_oldest(jdk::JNI).expect("a JDK"), &jni, &["--release", "17"]);
}
