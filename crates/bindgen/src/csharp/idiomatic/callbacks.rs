use super::super::constants;
use super::super::cx::Cx;
use super::super::text::Text;
use super::lift::{Lift, parameter, visible};
use super::method::not_null;
use crate::Diagnostics;
use crate::model::{Body, Function, Param, Place, Signature};
use crate::plan::{Callable, Kind};
use upcall_packers::Scope;

const CDECL: &str = "[UnmanagedCallersOnly(CallConvs = new[] { typeof(global::System.Runtime.CompilerServices.CallConvCdecl) })]";

/// What is needed at run time by delegates of calls, and by those that are kept.
pub(super) fn needed(delegates: &[Delegate<'_>]) -> (bool, bool) {
    let kept = |delegate: &&Delegate| delegate.signature.kept;
    let all = delegates.iter().filter(kept).count();
    (all < delegates.len(), all > 0)
}

/// A delegate to write.
pub(super) struct Delegate<'a> {
    name: String,
    signature: &'a Signature,
    /// Where it was found.
    source: String,
    place: &'a Place,
}

/// The delegates that functions take and those that structs hold.
pub(super) fn all<'a>(cx: &'a Cx, functions: &[&'a Function]) -> Vec<Delegate<'a>> {
    let mut found: Vec<Delegate> = Vec::new();
    for function in functions {
        for (index, param) in function.signature.params.iter().enumerate() {
            let (Lift::Callback { delegate, .. } | Lift::Kept { delegate }) = cx.lift_param(function, index)
            else {
                continue;
            };
            let Kind::Function(Callable { signature, .. }) = Kind::plain(cx.api, &param.ty) else { continue };
            let source = format!("{}({})", function.name, param.name);
            found.push(Delegate { name: delegate, signature, source, place: &function.place });
        }
    }
    for declared in cx.api.types.iter().filter(|declared| declared.idiom.is_none()) {
        let (Body::Struct(record) | Body::Union(record)) = &declared.body else { continue };
        for field in record.fields.iter().filter(|field| field.public) {
            let Kind::Function(of) = Kind::plain(cx.api, cx.element(&field.ty).0) else { continue };
            let signature = of.signature;
            if !cx.callable(signature) {
                continue;
            }
            let name = cx.delegate(&declared.name, &field.name, of);
            let source = format!("{}::{}", declared.source, field.name);
            found.push(Delegate { name, signature, source, place: &declared.place });
        }
    }
    let mut written: Vec<Delegate> = Vec::new();
    for delegate in found {
        let same = |other: &Delegate| other.name == delegate.name && other.signature == delegate.signature;
        if !written.iter().any(same) {
            written.push(delegate);
        }
    }
    written
}

/// Writes the delegates, and for each the class that native code can be given.
pub(super) fn write(
    cx: &Cx,
    all: &[Delegate<'_>],
    scope: &mut Scope,
    text: &mut Text,
    diagnostics: &mut Diagnostics,
) {
    for Delegate { name, signature, source, place } in all {
        let class = if signature.kept { kept_class(name) } else { format!("{name}Callback") };
        for name in [name, &class] {
            scope.declare(name, source, place, diagnostics);
        }
        one(cx, name, signature, text);
    }
}

fn one(cx: &Cx, delegate: &str, signature: &Signature, text: &mut Text) {
    let access = &cx.options.accessibility;
    let shown = visible(cx, signature);
    let ret = ret(cx, signature);
    let list = |params: Vec<String>| params.join(", ");
    let seen = list(
        shown.iter().map(|(_, p)| format!("{} {}", cx.seen(&p.ty), parameter(signature, &p.name))).collect(),
    );
    text.blank();
    let threads = if signature.kept { ", on any thread, until it forgets it" } else { "" };
    text.docs(&format!("What native code calls as {}{threads}.", delegate.trim_start_matches('@')));
    text.line(format!("{access} unsafe delegate {ret} {delegate}({seen});"));
    if signature.kept {
        return kept(cx, delegate, signature, text);
    }
    let class = format!("{}Callback", delegate.trim_start_matches('@'));
    text.blank();
    text.docs("A delegate that native code may call until this is disposed.");
    text.open(format!("{access} sealed unsafe class {class} : NativeCallback"));
    let optional = if signature.context.is_none() { "?" } else { "" };
    text.line(format!("private readonly {delegate}{optional} callback;"));
    match signature.context {
        Some(_) => with_context(cx, &class, delegate, signature, text),
        None => without_context(cx, &class, delegate, signature, text),
    }
    text.close();
}

/// The class of what native code calls for a kept delegate.
pub(super) fn kept_class(delegate: &str) -> String {
    format!("{}Kept", delegate.trim_start_matches('@'))
}

/// What native code calls for a delegate that it keeps, whose context is a handle of the garbage collector's.
fn kept(cx: &Cx, delegate: &str, signature: &Signature, text: &mut Text) {
    text.blank();
    text.open(format!("internal static unsafe class {}", kept_class(delegate)));
    text.line(CDECL);
    let native = cx.blittable_ret(signature);
    text.open(format!("internal static {native} Invoke({})", native_params(cx, signature)));
    let target = format!("NativeKept.Find<{delegate}>({})", context_name(signature));
    guarded(cx, delegate, signature, &target, "NativeKept.Fail(__error);", text);
    text.close();
    text.close();
}

/// The parameter that carries the context.
fn context_name(signature: &Signature) -> String {
    let context = signature.context.and_then(|index| signature.params.get(index as usize));
    context.map_or("null".into(), |param| parameter(signature, &param.name))
}

fn ret(cx: &Cx, signature: &Signature) -> String {
    match cx.lift(&signature.ret) {
        Lift::Bool => "bool".into(),
        _ => cx.blittable_ret(signature),
    }
}

fn native_params(cx: &Cx, signature: &Signature) -> String {
    let param = |param: &&Param| format!("{} {}", cx.blittable(&param.ty), parameter(signature, &param.name));
    cx.passed(signature).iter().map(param).collect::<Vec<_>>().join(", ")
}

fn with_context(cx: &Cx, class: &str, delegate: &str, signature: &Signature, text: &mut Text) {
    let pointer = cx.function_pointer(signature);
    text.blank();
    text.docs("Lets native code call the delegate.");
    text.open(format!("public {class}({delegate} callback)"));
    text.line(not_null("callback"));
    text.line("this.callback = callback;");
    text.line("Register();");
    text.close();
    text.blank();
    text.docs("The function to give to native code, together with Context.");
    text.line(format!("public {pointer} Pointer {{ get {{ Check(); return &Invoke; }} }}"));
    text.blank();
    text.docs("The context to give to native code, together with Pointer.");
    text.line("public void* Context { get { Check(); return Id; } }");
    text.blank();
    text.line("private protected override void Close() => Unregister();");
    text.blank();
    text.line(CDECL);
    let native = cx.blittable_ret(signature);
    text.open(format!("private static {native} Invoke({})", native_params(cx, signature)));
    text.line(format!("{class}? __self = Find<{class}>({});", context_name(signature)));
    owned(cx, delegate, signature, text);
    text.close();
}

/// Calls the delegate of `__self`, if there is one, and stores what it throws.
fn owned(cx: &Cx, delegate: &str, signature: &Signature, text: &mut Text) {
    text.line(format!("if (__self == null) {{ {} }}", instead(cx, signature)));
    // One without a delegate has no function that asks for it.
    let given = if signature.context.is_none() { "callback!" } else { "callback" };
    guarded(cx, delegate, signature, &format!("__self.{given}"), "__self.Keep(__error);", text);
}

/// What native code gets without the delegate.
fn instead(cx: &Cx, signature: &Signature) -> String {
    if cx.returns_nothing(signature) { "return;".to_owned() } else { cx.stand_in(&signature.ret) }
}

/// Calls a delegate, and does something with what it throws.
fn guarded(cx: &Cx, delegate: &str, signature: &Signature, callee: &str, thrown: &str, text: &mut Text) {
    let nothing = cx.returns_nothing(signature);
    let default = instead(cx, signature);
    let arguments: Vec<String> = visible(cx, signature)
        .iter()
        .map(|(_, param)| {
            let name = parameter(signature, &param.name);
            match cx.lift(&param.ty) {
                Lift::Bool => format!("{name} != 0"),
                Lift::Str | Lift::Slice { .. } => {
                    format!("new({name}.data, checked((int){name}.len))")
                }
                _ => name,
            }
        })
        .collect();
    let call = format!("{callee}({})", arguments.join(", "));
    let call = match cx.lift(&signature.ret) {
        _ if nothing => format!("{call};"),
        Lift::Bool => format!("return {call} ? (byte)1 : (byte)0;"),
        _ => {
            let checked = cx.checked_result(&signature.ret, &call, delegate.trim_start_matches('@'));
            checked.unwrap_or_else(|| format!("return {call};"))
        }
    };
    text.line(format!("try {{ {call} }}"));
    text.line(format!("catch (Exception __error) {{ {thrown} {default} }}"));
}

/// Without a context the function itself has to know the object.
fn without_context(cx: &Cx, class: &str, delegate: &str, signature: &Signature, text: &mut Text) {
    let pointer = cx.function_pointer(signature);
    let native = cx.blittable_ret(signature);
    let params = native_params(cx, signature);
    text.line("private readonly __Thunk? thunk;");
    text.line("private readonly nint address;");
    text.blank();
    text.docs("Lets native code call the delegate.");
    text.open(format!("public {class}({delegate} callback)"));
    text.line(not_null("callback"));
    text.line("this.callback = callback;");
    text.line("thunk = __Thunk.For(this);");
    text.line("address = thunk.Address;");
    text.close();
    text.blank();
    text.docs("A function of native code, or a number that stands for one: it is passed on as it is.");
    text.line(format!("public {class}(nint address) => this.address = address;"));
    text.blank();
    if constants::any_address(cx) {
        text.docs("The same, for a constant of the library that is one.");
        text.line(format!("public static implicit operator {class}(void* address) => new((nint)address);"));
        text.blank();
    }
    text.docs("The function to give to native code.");
    text.line(format!("public {pointer} Pointer {{ get {{ Check(); return ({pointer})address; }} }}"));
    text.blank();
    text.line("private protected override void Close() => thunk?.Release();");
    text.blank();
    text.open(format!("private sealed class __Thunk : NativeThunk<{class}, __Thunk>"));
    text.line("[UnmanagedFunctionPointer(CallingConvention.Cdecl)]");
    text.line(format!("private delegate {native} __Native({params});"));
    text.blank();
    text.line("private readonly __Native function;");
    text.blank();
    text.open("public __Thunk()");
    text.line("function = Invoke;");
    text.line("Address = Marshal.GetFunctionPointerForDelegate(function);");
    text.close();
    text.blank();
    text.open(format!("private {native} Invoke({params})"));
    text.line(format!("{class}? __self = Owner;"));
    owned(cx, delegate, signature, text);
    text.close();
    text.close();
}
