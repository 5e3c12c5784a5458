//! Functions as methods of the struct that their first argument points to: `context->Insert(1)`.

use super::cx::Cx;
use super::functions;
use super::names::{escaped, pascal};
use super::options::Grouped;
use super::text::Text;
use crate::model::{Body, Function, Ty, TypeId};
use std::collections::HashSet;

/// Writes the class of the extension methods.
pub(super) fn write(cx: &Cx, grouped: &Grouped, functions: &[&Function], text: &mut Text) {
    let (access, class) = (&cx.options.accessibility, &cx.options.class);
    text.blank();
    text.docs(&format!("The functions of {class} as methods of what their first argument points to."));
    text.open(format!("{access} static unsafe class {class}GroupingExtensions"));
    let mut taken = HashSet::new();
    for function in functions {
        let Some(of) = receiver(cx, function) else { continue };
        let name = method_name(&cx.api.get(of).name, &function.name, grouped);
        let params = cx.passed(&function.signature);
        let types: Vec<String> =
            params.iter().map(|param| spelled(cx, function, &param.name, &param.ty)).collect();
        // Two functions with one name and the same types keep their own names.
        let name = if taken.insert((name.clone(), types.clone())) { name } else { function.name.clone() };
        let mut list = vec![format!("this ref {} {}", cx.name(of), escaped(&params[0].name))];
        let mut arguments = vec![format!(
            "({}*)global::System.Runtime.CompilerServices.Unsafe.AsPointer(ref {})",
            cx.name(of),
            escaped(&params[0].name)
        )];
        for (param, ty) in params.iter().zip(&types).skip(1) {
            list.push(format!("{ty} {}", escaped(&param.name)));
            arguments.push(escaped(&param.name));
        }
        if function.fallible {
            list.push(format!("{}** __failure", functions::failure(cx)));
            arguments.push("__failure".into());
        }
        let ret = match cx.returns_nothing(&function.signature) {
            true => "void".into(),
            false => spelled(cx, function, "return", &function.signature.ret),
        };
        text.blank();
        text.docs(&function.docs);
        text.obsolete(&function.deprecated);
        text.line("[global::System.Runtime.CompilerServices.MethodImpl(global::System.Runtime.CompilerServices.MethodImplOptions.AggressiveInlining)]");
        let call = format!("{class}.{}({})", functions::name(cx, function), arguments.join(", "));
        text.line(format!("{access} static {ret} {}({}) => {call};", escaped(&name), list.join(", ")));
    }
    text.close();
}

fn spelled(cx: &Cx, function: &Function, param: &str, ty: &Ty) -> String {
    let delegate = cx.api.callback(ty).filter(|(signature, _)| cx.callable(signature));
    match delegate {
        Some(_) if !cx.options.function_pointers => {
            format!("{}.{}_{param}_delegate", cx.options.class, function.name)
        }
        _ => cx.ty(ty),
    }
}

fn receiver(cx: &Cx, function: &Function) -> Option<TypeId> {
    let first = cx.passed(&function.signature).first().map(|param| &param.ty)?;
    let (id, _) = cx.api.behind(first)?;
    let is_record =
        matches!(cx.api.get(id).body, Body::Struct(_) | Body::Union(_) | Body::Tagged(_) | Body::Opaque);
    is_record.then_some(id)
}

fn method_name(ty: &str, function: &str, grouped: &Grouped) -> String {
    if !grouped.fix_method_name {
        return function.to_owned();
    }
    let after = |part: &str| {
        let rest = function.split_once(part)?.1.trim_matches(['_', ' ']);
        (!rest.is_empty()).then(|| rest.to_owned())
    };
    let trimmed = grouped.remove_until_type_name.then(|| after(ty).or_else(|| after(&snake(ty)))).flatten();
    let name = trimmed.unwrap_or_else(|| {
        function.strip_prefix(grouped.remove_prefix.as_str()).unwrap_or(function).to_owned()
    });
    let name = name.strip_suffix(grouped.remove_suffix.as_str()).unwrap_or(&name);
    pascal(name.trim_matches(['_', ' ']))
}

fn snake(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_is_called_as_csbindgen_calls_it() {
        let grouped = Grouped::default();
        let name = |ty, function| method_name(ty, function, &grouped);
        assert_eq!(name("CounterContext", "counter_context_insert"), "Insert");
        assert_eq!(name("CounterContext", "foo_counter_context_insert_all"), "InsertAll");
        assert_eq!(name("PxScene", "PxScene_simulate_mut"), "SimulateMut");
        assert_eq!(name("Context", "delete_context"), "DeleteContext");
        let grouped = Grouped { remove_prefix: "b3".into(), remove_suffix: "_mut".into(), ..grouped };
        assert_eq!(method_name("X", "b3LoadUrdf_mut", &grouped), "LoadUrdf");
    }
}
