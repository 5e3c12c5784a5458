//! Functional interfaces for what native code calls.

use super::call::Outcome;
use super::lines::{Docs, Lines};
use super::names;
use super::surface::{Java, Kind};
use crate::Diagnostics;
use crate::model::{Body, Param, Place, Signature, Ty};

/// A functional interface.
pub(super) struct Interface<'a> {
    pub name: String,
    pub signature: &'a Signature,
    docs: &'a str,
    /// Whether its name comes from where it is used, so that another use may have taken it.
    pub place: Place,
}

impl<'a> Java<'a> {
    /// Every interface: of named callbacks, and of parameters, results and fields without a name for theirs.
    pub fn interfaces(&self) -> Vec<Interface<'a>> {
        let mut found = Vec::new();
        for (index, declared) in self.api.types.iter().enumerate() {
            match &declared.body {
                Body::Callback { signature, .. } => {
                    let name = self.names.types[index].clone();
                    let (docs, place) = (declared.docs.as_str(), declared.place.clone());
                    found.push(Interface { name: name.clone(), signature, docs, place });
                    self.inner_interfaces(&name, signature, &declared.place, &mut found);
                }
                Body::Struct(record) | Body::Union(record) if declared.idiom.is_none() => {
                    for field in record.fields.iter().filter(|field| field.public) {
                        self.interface_of(
                            &declared.name,
                            &field.name,
                            &field.ty,
                            &declared.place,
                            &mut found,
                        );
                    }
                }
                _ => {}
            }
        }
        for function in &self.api.functions {
            let signature = &function.signature;
            self.inner_interfaces(&function.name, signature, &function.place, &mut found);
            self.interface_of(&function.name, "result", &signature.ret, &function.place, &mut found);
        }
        found
    }

    fn inner_interfaces(
        &self,
        owner: &str,
        signature: &'a Signature,
        place: &Place,
        found: &mut Vec<Interface<'a>>,
    ) {
        for param in &signature.params {
            self.interface_of(owner, &param.name, &param.ty, place, found);
        }
    }

    fn interface_of(
        &self,
        owner: &str,
        part: &str,
        ty: &'a Ty,
        place: &Place,
        found: &mut Vec<Interface<'a>>,
    ) {
        if let Kind::Function { signature, named: None, .. } = self.kind(ty) {
            let name = self.interface(owner, part);
            found.push(Interface { name: name.clone(), signature, docs: "", place: place.clone() });
            self.inner_interfaces(&name, signature, place, found);
        }
    }

    /// Whether native code calls anything back.
    pub fn has_callbacks(&self) -> bool {
        self.calls_back
    }

    /// The interface's file, or an error that says why it cannot be.
    pub fn write_interface(
        &self,
        interface: &Interface<'a>,
        lines: &mut Lines,
        diagnostics: &mut Diagnostics,
    ) -> bool {
        let Interface { name, signature, .. } = interface;
        if let Some(why) = self.callback_obstacle(signature) {
            let help = "take it by pointer, or leave the callback out";
            diagnostics.unsupported(&interface.place, format!("the callback `{name}` {why}"), help);
            return false;
        }
        let outcome = self.outcome_of_callback(&signature.ret);
        let ret = outcome.java(self);
        let params = self.callback_params(name, signature);
        let taken: Vec<String> = params.iter().map(|param| format!("{} {}", param.ty, param.name)).collect();
        let taken = taken.join(", ");
        let given: Vec<&str> = params.iter().map(|param| param.name.as_str()).collect();
        let given = given.join(", ");
        let back = if ret == "void" { "" } else { "return " };

        lines.docs(&Docs::new(interface.docs, None).note(
            "What it throws is kept until the native call returns, and thrown there; native code gets zeroes.",
        ));
        lines.line("@FunctionalInterface");
        lines.open(format!("public interface {name}"));
        lines.docs(&Docs::new("What native code calls.", None));
        lines.line(format!("{ret} call({taken});"));

        lines.blank();
        lines.docs(&Docs::new("One that native code may keep, until it is closed.", None));
        lines.open(format!("static Kept keep({name} function)"));
        lines.line("return new Kept(function);");
        lines.close();

        if self.callable(signature) {
            self.write_of(name, signature, &params, outcome, lines);
        }

        lines.blank();
        lines.docs(&Docs::new(
            "A function with an address, which native code may keep until it is closed.",
            None,
        ));
        lines.open(format!("final class Kept extends NativeCallback<{name}> implements {name}"));
        lines.line(format!(
            "private static final FunctionDescriptor DESCRIPTOR = {};",
            self.descriptor(signature)
        ));
        lines.line(format!(
            "static final Native.Stubs<{name}> STUBS = new Native.Stubs<>(MethodHandles.lookup(), DESCRIPTOR);"
        ));
        lines.blank();
        lines.open(format!("private Kept({name} function)"));
        lines.line("super(Native.keep(function, STUBS));");
        lines.close();
        lines.blank();
        lines.line("@Override");
        lines.open(format!("public {ret} call({taken})"));
        lines.line(format!("{back}cell.function().call({given});"));
        lines.close();
        lines.blank();
        self.write_upcall(name, signature, &params, outcome, lines);
        if self.callable(signature) {
            lines.blank();
            lines.open("private static final class Address");
            lines.line("static final MethodHandle HANDLE = Native.pointer(DESCRIPTOR);");
            lines.close();
        }
        lines.close();
        lines.close();
        true
    }

    fn write_upcall(
        &self,
        name: &str,
        signature: &'a Signature,
        params: &[CallbackParam],
        outcome: Outcome,
        lines: &mut Lines,
    ) {
        let native: Vec<String> = signature
            .params
            .iter()
            .enumerate()
            .map(|(index, param)| format!("{} arg{index}", self.carried(&param.ty)))
            .collect();
        let ret = match signature.ret {
            Ty::Unit => "void",
            _ => self.carried(&signature.ret),
        };
        let native = std::iter::once(format!("Native.Cell<{name}> cell")).chain(native);
        lines.open(format!("static {ret} upcall({})", native.collect::<Vec<_>>().join(", ")));
        lines.open("try");
        let lifted: Vec<&str> = params.iter().map(|param| param.lifted.as_str()).collect();
        let call = format!("cell.function().call({})", lifted.join(", "));
        match outcome {
            Outcome::Nothing => lines.line(format!("{call};")),
            Outcome::Scalar(scalar) => lines.line(format!("return {};", scalar.lower_register(&call))),
            Outcome::Record(_) => lines.line(format!("return {call}.segment();")),
            _ => lines.line(format!("return {call};")),
        }
        lines.close_with("} catch (Throwable thrown) {");
        lines.line("Native.keep(thrown, cell);");
        match outcome {
            Outcome::Nothing => {}
            Outcome::Scalar(scalar) => lines.line(format!("return {};", scalar.zero())),
            Outcome::Record(id) => {
                lines.line(format!("return Arena.ofAuto().allocate({}.LAYOUT);", self.class(id)))
            }
            _ => lines.line("return MemorySegment.NULL;"),
        }
        lines.close();
        lines.close();
    }

    fn write_of(
        &self,
        name: &str,
        signature: &'a Signature,
        params: &[CallbackParam],
        outcome: Outcome,
        lines: &mut Lines,
    ) {
        let context = if signature.context.is_some() { ", MemorySegment context" } else { "" };
        let mut arguments = vec!["address".to_owned()];
        if matches!(outcome, Outcome::Record(_)) {
            arguments.push("(SegmentAllocator) Arena.ofAuto()".into());
        }
        let mut shown = params.iter();
        for (index, param) in signature.params.iter().enumerate() {
            if signature.context == Some(index as u32) {
                arguments.push("context".into());
                continue;
            }
            let Some(param_name) = shown.next().map(|param| &param.name) else { continue };
            arguments.push(match self.kind(&param.ty) {
                Kind::Scalar(scalar) => scalar.lower_register(param_name),
                _ => format!("{param_name}.segment()"),
            });
        }
        lines.blank();
        lines.docs(&Docs::new("The native function at an address.", None));
        lines.open(format!("static {name} of(MemorySegment address{context})"));
        let given: Vec<&str> = params.iter().map(|param| param.name.as_str()).collect();
        lines.open(format!("return ({}) ->", given.join(", ")));
        lines.open("try");
        let invocation = format!("Kept.Address.HANDLE.invokeExact({})", arguments.join(", "));
        match outcome {
            Outcome::Scalar(scalar) => {
                lines.line(format!("{0} result = ({0}) {invocation};", scalar.register_java()));
                lines.line(format!("return {};", scalar.lift_register("result")));
            }
            Outcome::Nothing => lines.line(format!("{invocation};")),
            _ => {
                lines.line(format!("MemorySegment result = (MemorySegment) {invocation};"));
                lines.line(format!("return {};", outcome.lift(self, "result")));
            }
        }
        lines.close_with("} catch (Throwable thrown) {");
        lines.line("throw Native.thrown(thrown);");
        lines.close();
        lines.close_with("};");
        lines.close();
    }

    /// Whether Java can call it by its address without memory of its own.
    fn callable(&self, signature: &'a Signature) -> bool {
        let simple = |ty: &'a Ty| match self.kind(ty) {
            Kind::Scalar(_) => true,
            Kind::Record(_) => self.idiom(ty).is_none(),
            _ => false,
        };
        let contexts = signature.params.iter().all(|param| param.context_of.is_none());
        let params = signature.params.iter().all(|param| simple(&param.ty));
        contexts && params && (signature.ret == Ty::Unit || simple(&signature.ret))
    }

    /// What a callback returns: what would be a copy is memory that the callback names.
    fn outcome_of_callback(&self, ty: &'a Ty) -> Outcome {
        match self.outcome(ty) {
            Outcome::Str | Outcome::Slice(_) | Outcome::Buffer(_) | Outcome::Text => match self.kind(ty) {
                Kind::Record(id) => Outcome::Record(id),
                _ => Outcome::Nothing,
            },
            outcome => outcome,
        }
    }

    /// The Java type that a value arrives in.
    fn carried(&self, ty: &'a Ty) -> &'static str {
        match self.kind(self.passed(ty)) {
            Kind::Scalar(scalar) => scalar.register_java(),
            _ => "MemorySegment",
        }
    }

    fn callback_params(&self, name: &str, signature: &'a Signature) -> Vec<CallbackParam> {
        let context = |index: usize| signature.context == Some(index as u32);
        let shown = signature.params.iter().enumerate();
        shown
            .filter(|(index, param)| !context(*index) && param.context_of.is_none())
            .map(|(index, param)| self.callback_param(name, signature, index, param))
            .collect()
    }

    fn callback_param(
        &self,
        owner: &str,
        signature: &'a Signature,
        index: usize,
        param: &'a Param,
    ) -> CallbackParam {
        let name = names::param_name(&param.name);
        let argument = format!("arg{index}");
        if let Kind::Function { signature: inner, named, .. } = self.kind(&param.ty)
            && self.callable(inner)
        {
            let ty = match named {
                Some(id) => self.class(id).to_owned(),
                None => self.interface(owner, &param.name),
            };
            let context = signature.params.iter().position(|param| param.context_of == Some(index as u32));
            let context = match (inner.context, context) {
                (None, _) => String::new(),
                (Some(_), Some(context)) => format!(", arg{context}"),
                (Some(_), None) => ", MemorySegment.NULL".into(),
            };
            let lifted = format!("Native.isNull({argument}) ? null : {ty}.of({argument}{context})");
            return CallbackParam { ty, name, lifted };
        }
        let outcome = match self.kind(&param.ty) {
            Kind::Function { .. } => Outcome::Address,
            _ => self.outcome(&param.ty),
        };
        let lifted = match outcome {
            Outcome::Scalar(scalar) => scalar.lift_register(&argument),
            _ => outcome.lift(self, &argument),
        };
        CallbackParam { ty: outcome.java(self), name, lifted }
    }
}

/// A parameter as the user's function takes it.
struct CallbackParam {
    ty: String,
    name: String,
    /// The native value as that.
    lifted: String,
}
