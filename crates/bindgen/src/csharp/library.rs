//! The names of the libraries, and where they are looked for.

use super::cx::Cx;
use super::text::{Text, quoted};
use crate::glue;
use crate::model::{Function, Linkage};
use upcall_packers::fill;

/// The libraries besides the headers' own: the constants with their names, and how those end.
const SECOND: [(Linkage, &str, &str); 2] =
    [(Linkage::Inline, "__InlineName", "inline"), (Linkage::Shim, "__ShimName", "shim")];

/// How the environment says where the library is. Nothing is done if it does not.
const VARIABLE: &str = r#"// Apart, as a static constructor of the class around it asks the library, which must have been found.
internal static class __Named
{
    internal static string? File => global::System.Environment.GetEnvironmentVariable($variable) is { Length: > 0 } file ? file : null;

    [global::System.Runtime.CompilerServices.ModuleInitializer]
    internal static void Find()
    {$missed
        if (File is not { } file) return;
        global::System.Func<string, nint> find = name => name == __DllName ? NativeLibrary.Load(file) : $other;
        // An assembly has one resolver, and may have several libraries' bindings.
        global::System.Reflection.Assembly assembly = typeof($class).Assembly;
        global::System.AppDomain domain = global::System.AppDomain.CurrentDomain;
        string key = $"libraries of {assembly.FullName} {(global::System.Runtime.CompilerServices.RuntimeHelpers.GetHashCode(assembly))}";
        global::System.Func<string, nint>? others = (global::System.Func<string, nint>?)domain.GetData(key);
        domain.SetData(key, others + find);
        if (others is not null) return;
        NativeLibrary.SetDllImportResolver(assembly, (name, _, _) =>
        {
            foreach (global::System.Delegate each in ((global::System.Func<string, nint>)domain.GetData(key)!).GetInvocationList())
            {
                nint found = ((global::System.Func<string, nint>)each)(name);
                if (found != 0) return found;
            }
            return 0;
        });
    }$beside
}"#;

/// Where the others are, unless they are where the runtime looks.
const BESIDE: &str = r#"

    /// A library's file beside the one that is named, or else beside the program.
    private static string Beside(string name)
    {
        string file = global::System.OperatingSystem.IsWindows() ? $"{name}.dll" : global::System.OperatingSystem.IsMacOS() ? $"lib{name}.dylib" : $"lib{name}.so";
        string? folder = File is { } named ? global::System.IO.Path.GetDirectoryName(global::System.IO.Path.GetFullPath(named)) : null;
        return global::System.IO.Path.Combine(folder ?? global::System.AppContext.BaseDirectory, file);
    }"#;

const OTHER: &str =
    "name is $second && global::System.IO.File.Exists(Beside(name)) ? NativeLibrary.Load(Beside(name)) : 0";

/// The runtime asks this last. Users build the library themselves, of a file that they may not have noticed.
const MISSED: &str = "
        global::System.Runtime.Loader.AssemblyLoadContext.GetLoadContext(typeof($class).Assembly)!.ResolvingUnmanagedDll +=
            (assembly, name) => name == __InlineName && assembly == typeof($class).Assembly ? Missed(name) : 0;";

const SAYING: &str = r#"

    private static nint Missed(string name)
    {
        try
        {
            return NativeLibrary.Load(Beside(name));
        }
        catch (global::System.DllNotFoundException missing)
        {
            throw new global::System.DllNotFoundException($"cannot load the library {name} from {Beside(name)} or where the runtime looks; build it from the bindings' shims.c, as its first lines say, beside the library {__DllName}: {missing.Message}", missing);
        }
    }"#;

/// Writes both.
pub(super) fn write(cx: &Cx, functions: &[&Function], text: &mut Text) {
    let options = cx.options;
    let called = |(linkage, ..): &&(Linkage, &str, &str)| {
        functions.iter().any(|function| function.linkage == *linkage)
    };
    let second: Vec<_> = SECOND.iter().filter(called).collect();
    if options.library_name {
        names(cx, &second, text);
    }
    if !options.has_variable() {
        return;
    }
    let constants: Vec<&str> = second.iter().map(|(_, name, _)| *name).collect();
    let inline = constants.contains(&"__InlineName");
    let (other, beside) = if second.is_empty() { ("0", "") } else { (OTHER, BESIDE) };
    let (missed, saying) = if inline { (MISSED, SAYING) } else { ("", "") };
    text.blank();
    let (second, class) = (constants.join(" or "), [("class", options.class.as_str())]);
    text.line(fill(
        VARIABLE,
        &[
            ("missed", &*fill(missed, &class)),
            ("other", &*fill(other, &[("second", &second)])),
            ("beside", &*format!("{beside}{saying}")),
            ("variable", &*quoted(&glue::variable(&cx.api.library))),
            class[0],
        ],
    ));
}

fn names(cx: &Cx, second: &[&(Linkage, &str, &str)], text: &mut Text) {
    let name = if cx.options.library.is_empty() { &cx.api.library } else { &cx.options.library };
    let constant = |text: &mut Text, name: &str| {
        text.line(format!("const string __DllName = {};", quoted(name)));
        for (_, name, suffix) in second {
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
