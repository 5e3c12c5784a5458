use super::cx::Cx;
use super::names::{escaped, member, pascal, scope, type_name};
use super::options::Options;
use super::text::{Text, docs, obsolete, quoted};
use super::{changes, constants, enums, functions, grouped, idiomatic, structs};
use crate::glob::fits;
use crate::model::{Api, Body, Function, Linkage, Packed, PackedBody};
use crate::plan::crossing;
use crate::{Diagnostics, File, glue};
use upcall_packers::{Spelling, csharp as packers};

/// Warnings about names, style and unused private fields.
pub(super) const PRAGMAS: &str = "#pragma warning disable CS0108, CS0114, CS0169, CS0414, CS0465, CS0612, CS0618, CS0649, CS1591, CS8500, CS8981, CA1401, CA2255, IDE1006";

/// How the environment says where the library is. Nothing is done if it does not.
const VARIABLE: &str = r#"// Apart, as a static constructor of the class around it asks the library, which must have been found.
internal static class __Named
{
    internal static string? File => global::System.Environment.GetEnvironmentVariable(VARIABLE) is { Length: > 0 } file ? file : null;

    [global::System.Runtime.CompilerServices.ModuleInitializer]
    internal static void Find()
    {
        if (File is not { } file) return;
        NativeLibrary.SetDllImportResolver(typeof(CLASS).Assembly, (name, _, _) => name == __DllName ? NativeLibrary.Load(file) : 0);
    }
}"#;

/// The C# file, and the crate of a shim library if functions pass by value what C# cannot pass; also the
/// packers of types that derive `Pack`, alone if there is nothing else.
pub fn generate(api: &Api, options: &Options, diagnostics: &mut Diagnostics) -> Vec<File> {
    let releases = api.releases(&options.released, "csharp", diagnostics);
    let with_members;
    let mut api = api;
    if !releases.is_empty() {
        with_members = api.with_members(&releases, options.methods, &options.prefixes);
        api = &with_members;
    }
    let cx = Cx::new(api, options, diagnostics);
    let packers = packers(&cx, diagnostics);
    if api.only_packs() {
        return packers.into_iter().collect();
    }
    let wanted = |function: &&Function| {
        let named = options.functions.is_empty() || fits(&options.functions, &function.name);
        named && !fits(&options.except, &function.name)
    };
    let chosen = crossing(api, api.functions.iter().filter(wanted), "C#", diagnostics);
    let refused: Vec<&Function> =
        chosen.iter().copied().filter(|function| !cx.callable(&function.signature)).collect();
    let (shims, mut files) = match refused[..] {
        [] => Default::default(),
        _ => glue::shim(api, &refused, &|ty| cx.refuses(ty)),
    };
    let mut shims = shims.iter();
    let plain: Vec<&Function> = chosen
        .iter()
        .map(|function| match cx.callable(&function.signature) {
            true => *function,
            false => shims.next().unwrap_or(function),
        })
        .collect();
    for file in &mut files {
        file.path = std::path::Path::new(&format!("{}_shim", api.library)).join(&file.path);
    }
    files.insert(0, File::new(&options.file, text(&cx, &chosen, &plain, diagnostics)));
    files.extend(packers);
    files
}

/// The packers' file.
fn packers(cx: &Cx, diagnostics: &mut Diagnostics) -> Option<File> {
    let options = cx.options;
    let settings = packers::Settings {
        spelling: Spelling {
            type_name: &type_name,
            member: &member,
            variant: &member,
            literal: &quoted,
            comment: &|comment| docs(comment.text) + &obsolete(comment.deprecated),
        },
        pascal: &pascal,
        library: &cx.api.library,
        pragmas: PRAGMAS,
        namespace: &cx.namespace(),
        accessibility: &options.accessibility,
        language: options.language,
        support: options.support,
        memorypack: options.memorypack,
        rename: &options.rename,
        declared: cx.api.packed.iter().filter_map(|packed| declared(cx, packed)).collect(),
    };
    // Collisions among the bindings' own types were reported already.
    let scope = cx.type_scope(&mut Diagnostics::default());
    packers::file(&cx.api.packed, &options.file, &settings, scope, diagnostics)
}

/// The source and the name of a packed type that the bindings declare too, if it lies in memory as it does on the wire.
fn declared(cx: &Cx, packed: &Packed) -> Option<(String, String)> {
    let (found, declared) = cx.api.declared().find(|(_, declared)| declared.source == packed.source)?;
    let same = match (&packed.body, &declared.body) {
        (PackedBody::Enum { of, .. }, Body::Enum(body)) => body.repr == of.repr,
        (PackedBody::Raw(raw), Body::Struct(record)) => {
            let placed = &raw.placed;
            let offset = |name: &str| record.fields.iter().find(|field| field.name == name);
            let mut fields = raw.fields.iter().zip(&placed.offsets);
            declared.layout.is_some_and(|layout| layout.size == placed.layout.size)
                && fields.all(|(field, at)| offset(&field.name).is_some_and(|field| field.offset == *at))
        }
        _ => false,
    };
    same.then(|| (packed.source.clone(), cx.name(found).to_owned()))
}

fn text(cx: &Cx, chosen: &[&Function], plain: &[&Function], diagnostics: &mut Diagnostics) -> String {
    let options = cx.options;
    let mut text = Text::default();
    if !options.header.is_empty() {
        text.line(&options.header);
    }
    text.line("// <auto-generated>\n// Made by upcall bindgen; do not edit.\n// </auto-generated>\n#nullable enable");
    text.line(PRAGMAS);
    text.line("using System;\nusing System.Runtime.InteropServices;");
    for namespace in &options.using {
        text.line(format!("using {namespace};"));
    }
    text.blank();
    text.open(format!("namespace {}", cx.namespace()));
    class(cx, chosen, plain, &mut text, diagnostics);
    constants::of_modules(cx, &mut text, diagnostics);
    if options.idiomatic() {
        let pairs: Vec<(&Function, &Function)> = chosen.iter().copied().zip(plain.iter().copied()).collect();
        idiomatic::write(cx, &pairs, &mut text, diagnostics);
    }
    types(cx, &mut text, diagnostics);
    if let Some(group) = &options.grouped {
        grouped::write(cx, group, plain, &mut text);
    }
    text.close();
    if !options.footer.is_empty() {
        text.line(&options.footer);
    }
    text.finish()
}

fn class(cx: &Cx, chosen: &[&Function], plain: &[&Function], text: &mut Text, diagnostics: &mut Diagnostics) {
    let (api, options) = (cx.api, cx.options);
    if plain.is_empty() && !constants::any(cx) && api.statics.is_empty() {
        return;
    }
    let what = if plain.is_empty() { "constants" } else { "functions" };
    text.docs(&format!("The {what} of the library {}, as they are.", api.library));
    text.open(format!("{} static unsafe partial class {}", options.accessibility, options.class));
    if options.library_name {
        let linkages: Vec<Linkage> = plain.iter().map(|function| function.linkage).collect();
        library_names(cx, &linkages, text);
    }
    if options.has_variable() {
        text.blank();
        let variable = quoted(&glue::variable(&api.library));
        text.line(VARIABLE.replace("CLASS", &options.class).replace("VARIABLE", &variable));
    }
    text.blank();
    let mut scope = scope();
    scope.take(&options.class, "its class".into(), &Default::default(), diagnostics);
    let declares = |function: &&&Function| {
        scope.declare(&functions::name(cx, function), &function.name, &function.place, diagnostics)
    };
    let declared: Vec<&&Function> = plain.iter().filter(declares).collect();
    constants::of_class(cx, &mut scope, text, diagnostics);
    for variable in &api.statics {
        let name = cx.member(&variable.name, escaped, &scope);
        if scope.declare(&name, &variable.name, &variable.place, diagnostics) {
            constants::variable(cx, variable, &name, text);
        }
    }
    if !api.statics.is_empty() {
        constants::finder(cx, text);
    }
    let mut written = functions::Written::default();
    declared.iter().for_each(|function| functions::write(cx, function, &mut written, text));
    idiomatic::failures(cx, plain, text);
    idiomatic::limits(cx, chosen, text);
    changes::write(cx, chosen, text);
    text.close();
}

fn library_names(cx: &Cx, linkages: &[Linkage], text: &mut Text) {
    let name = if cx.options.library.is_empty() { &cx.api.library } else { &cx.options.library };
    let constant = |text: &mut Text, name: &str| {
        text.line(format!("const string __DllName = {};", quoted(name)));
        let more = [(Linkage::Inline, "__InlineName", "inline"), (Linkage::Shim, "__ShimName", "shim")];
        for (_, name, suffix) in more.iter().filter(|(linkage, ..)| linkages.contains(linkage)) {
            let library = quoted(&format!("{}_{suffix}", cx.api.library));
            text.line(format!("const string {name} = {library};"));
        }
    };
    let Some((symbol, other)) = &cx.options.library_if else {
        constant(text, name);
        return;
    };
    text.line(format!("#if {symbol}"));
    constant(text, other);
    text.line("#else");
    constant(text, name);
    text.line("#endif");
}

fn types(cx: &Cx, text: &mut Text, diagnostics: &mut Diagnostics) {
    for (id, declared) in cx.api.declared() {
        text.blank();
        match &declared.body {
            Body::Alias(_) | Body::Callback { .. } => {}
            Body::Enum(body) => enums::write(cx, id, body.repr, &body.variants, false, text, diagnostics),
            Body::Flags(body) => enums::write(cx, id, body.repr, &body.bits, body.combine, text, diagnostics),
            Body::Struct(_) | Body::Union(_) | Body::Tagged(_) | Body::Opaque => {
                structs::write(cx, id, text, diagnostics);
            }
        }
    }
}
