use super::super::cx::Cx;
use super::super::functions;
use super::super::names::{escaped, scope};
use super::super::text::Text;
use super::beside_classes;
use super::method::{Method, Shown, method_name};
use crate::Diagnostics;
use crate::model::{Function, Role, TypeId};

/// Members that every handle already has.
const INHERITED: &[&str] = &[
    "Close", "DangerousAddRef", "DangerousGetHandle", "DangerousRelease", "Dispose", "Equals", "Finalize",
    "GetHashCode", "GetType", "IsClosed", "IsInvalid", "MemberwiseClone", "ReferenceEquals", "ReleaseHandle",
    "SetHandle", "SetHandleAsInvalid", "ToString",
];

/// Writes the class of a handle.
pub(super) fn write(
    cx: &Cx,
    id: TypeId,
    functions: &[(&Function, &Function)],
    calls_back: bool,
    text: &mut Text,
    diagnostics: &mut Diagnostics,
) {
    let declared = cx.api.get(id);
    let (access, class, raw) = (&cx.options.accessibility, cx.class_of(id), cx.name(id));
    text.blank();
    let forgotten = "\n\nDisposing it releases it, whoever made it: what is only borrowed is not disposed. One that is never disposed is never released.";
    let docs = declared.docs.trim();
    text.docs(&if cx.is_lent(id) { format!("{docs}{forgotten}") } else { docs.to_owned() });
    text.obsolete(&declared.deprecated);
    text.open(format!("{access} sealed unsafe class {class} : SafeHandle"));
    let lent = if cx.is_lent(id) { "    global::System.GC.SuppressFinalize(this);\n" } else { "" };
    text.line(format!(
        "internal {class}({raw}* address) : base((nint)0, true)
{{
    if (address == null) throw new InvalidOperationException(\"the library made no {class}\");
    SetHandle((nint)address);
{lent}}}

internal static {class}? __OrNull({raw}* address) => address == null ? null : new(address);

/// <summary>Whether there is none.</summary>
public override bool IsInvalid => handle == (nint)0;
"
    ));
    let mut scope = scope();
    let mut release = None;
    for (function, plain) in functions {
        let Some(member) = cx.member_of_handle(function).filter(|member| member.of == id) else { continue };
        let made = member.role == Role::Constructor && member.name == "new";
        let name = if made { "__New".into() } else { method_name(&member.name) };
        if member.role == Role::Release {
            release = release.or(Some((*function, *plain)));
            continue;
        }
        let inherited = INHERITED.contains(&name.as_str());
        let name = if inherited { format!("{name}_") } else { beside_classes(cx, name, &class) };
        let name = if scope.has(&name) { escaped(&function.name) } else { name };
        if !scope.declare(&name, &function.name, &function.place, diagnostics) {
            continue;
        }
        let modifiers = match (made, cx.has_receiver(function)) {
            (true, _) => "private static".into(),
            (false, true) => "public".into(),
            (false, false) => "public static".to_owned(),
        };
        let method = Method { function, plain, name, modifiers, raw_handle: made, calls_back };
        if made {
            constructors(cx, &class, &method, text);
        }
        method.write(cx, text);
    }
    text.blank();
    text.docs("Gives it back to the library.");
    text.open("protected override bool ReleaseHandle()");
    let call = release.map(|(function, plain)| (functions::name(cx, plain), function.fallible));
    let methods = &cx.options.class;
    text.line(match call {
        Some((name, true)) => format!(
            "{}* failure = null;\n{methods}.{name}(({raw}*)handle, &failure);\nreturn {methods}.__Failed(failure) == null;",
            functions::failure(cx)
        ),
        Some((name, false)) => format!("{methods}.{name}(({raw}*)handle);\nreturn true;"),
        None => "return true;".into(),
    });
    text.close();
    text.close();
}

fn constructors(cx: &Cx, class: &str, method: &Method, text: &mut Text) {
    for overload in method.overloads(cx) {
        let params = method.params(cx, overload);
        let list: Vec<String> = params.iter().map(Shown::declared).collect();
        let names: Vec<String> = params.iter().map(Shown::passed_on).collect();
        text.blank();
        text.docs(if method.function.docs.is_empty() { "A new one." } else { &method.function.docs });
        text.line(method.throws(cx));
        text.obsolete(&method.function.deprecated);
        text.open(format!("public {class}({}) : this(__New({}))", list.join(", "), names.join(", ")));
        text.close();
    }
}
