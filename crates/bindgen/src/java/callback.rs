//! Functional interfaces for functions that native code calls.

use super::call::Outcome;
use super::jni::CALLS;
use super::lines::{Docs, Lines};
use super::names;
use super::scalar::Carrier;
use super::surface::{Java, Kind};
use crate::model::{Body, Param, Place, Signature, Ty};

/// A functional interface.
pub(super) struct Interface<'a> {
    pub name: String,
    pub signature: &'a Signature,
    docs: &'a str,
    pub place: Place,
}

impl<'a> Java<'a> {
    /// Every interface: for named callbacks, and for parameters, results and fields whose callback has no name.
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
                            &declared.name, &field.name, &field.ty, &declared.place, &mut found,
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
        for param in signature.params.iter().filter(|param| param.release_of.is_none()) {
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
        match self.kind(ty) {
            Kind::Function { signature, named: None, .. } => {
                let name = self.interface(owner, part);
                found.push(Interface { name: name.clone(), signature, docs: "", place: place.clone() });
                self.inner_interfaces(&name, signature, place, found);
            }
            Kind::Array { of, .. } => self.interface_of(owner, part, of, place, found),
            _ => {}
        }
    }

    /// The interface's file. It is callback number `index` of the glue.
    pub fn write_interface(&self, index: usize, interface: &Interface<'a>, lines: &mut Lines) {
        let Interface { name, signature, .. } = interface;
        let outcome = self.outcome_of_callback(&signature.ret);
        let ret = self.spelled(outcome.java(self), outcome.nullable() == Some(true));
        let params = self.callback_params(name, signature);
        let taken: Vec<String> = params.iter().map(|param| format!("{} {}", param.ty, param.name)).collect();
        let taken = taken.join(", ");
        let given: Vec<&str> = params.iter().map(|param| param.name.as_str()).collect();
        let given = given.join(", ");
        let back = if ret == "void" { "" } else { "return " };

        lines.docs(&Docs::new(interface.docs, None).note(match signature.kept {
            true => {
                "Native code keeps it and calls it on any thread, on several at once. What it throws is uncaught there, and \
                 native code gets zeroes."
            }
            false => {
                "What it throws is kept until the native call returns, and thrown there; native code gets zeroes."
            }
        }));
        lines.line("@FunctionalInterface");
        lines.open(format!("public interface {name}"));
        lines.docs(&Docs::new("What native code calls.", None));
        lines.line(format!("{ret} call({taken});"));
        if signature.kept {
            self.write_kept(index, name, signature, &params, outcome, lines);
            return lines.close();
        }

        lines.blank();
        lines.docs(&Docs::new("One that native code may keep, until it is closed.", None));
        lines.open(format!("static Kept keep({name} function)"));
        lines.line("return new Kept(function);");
        lines.close();

        if self.callable(signature) {
            self.write_of(index, interface, &params, outcome, lines);
        }

        lines.blank();
        lines.docs(&Docs::new(
            "A function with an address, which native code may keep until it is closed.",
            None,
        ));
        lines.open(format!("final class Kept extends NativeCallback<{name}> implements {name}"));
        if self.jni() {
            lines.line(format!("static final NativeStubs<{name}> STUBS ="));
            let signature = self.upcall_signature(signature);
            lines.line(format!("        new NativeStubs<>({index}, Kept.class, \"{signature}\");"));
        } else {
            let descriptor = self.descriptor(signature);
            lines.line(format!("private static final FunctionDescriptor DESCRIPTOR = {descriptor};"));
            lines.line(format!(
                "static final NativeStubs<{name}> STUBS = new NativeStubs<>(MethodHandles.lookup(), DESCRIPTOR);"
            ));
        }
        lines.blank();
        lines.open(format!("private Kept({name} function)"));
        lines.line("super(NativeStubs.keep(function, STUBS));");
        lines.close();
        lines.blank();
        lines.line("@Override");
        lines.open(format!("public {ret} call({taken})"));
        lines.line(format!("{back}cell.function().call({given});"));
        lines.close();
        lines.blank();
        self.write_upcall(name, signature, &params, outcome, lines);
        if self.callable(signature) && !self.jni() {
            lines.blank();
            lines.open("private static final class Address");
            lines.line("static final MethodHandle HANDLE = Native.pointer(DESCRIPTOR);");
            lines.close();
        }
        lines.close();
        lines.close();
    }

    /// What native code calls for all that it keeps.
    fn write_kept(
        &self,
        index: usize,
        name: &str,
        signature: &'a Signature,
        params: &[CallbackParam],
        outcome: Outcome,
        lines: &mut Lines,
    ) {
        lines.blank();
        lines.docs(&Docs::new("What native code calls for those that it keeps.", None));
        lines.open("final class Kept");
        if self.jni() {
            let signature = self.upcall_signature(signature);
            lines.line(format!(
                "static final long STUB = NativeKept.stub({index}, Kept.class, \"{signature}\");"
            ));
        } else {
            let descriptor = self.descriptor(signature);
            lines.line("static final MemorySegment STUB =");
            lines.line(format!("        NativeKept.stub(MethodHandles.lookup(), \"upcall\", {descriptor});"));
        }
        lines.blank();
        lines.open("private Kept()");
        lines.close();
        lines.blank();
        self.write_upcall(name, signature, params, outcome, lines);
        lines.close();
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
            _ if self.jni() => self.native_types(signature).1,
            _ => self.carried(&signature.ret),
        };
        let result =
            (self.jni() && ret == "void" && signature.ret != Ty::Unit).then(|| "long result".to_owned());
        let cell = (!signature.kept).then(|| format!("NativeStubs.Cell<{name}> cell"));
        let native = cell.into_iter().chain(native).chain(result);
        let (function, thrown) = match signature.context.filter(|_| signature.kept) {
            Some(context) => (format!("NativeKept.<{name}>find(arg{context})"), "NativeKept.thrown(thrown);"),
            None => ("cell.function()".to_owned(), "NativeThrown.keep(thrown, cell);"),
        };
        lines.open(format!("static {ret} upcall({})", native.collect::<Vec<_>>().join(", ")));
        match params.iter().any(|param| param.lifted.contains("lent$")) {
            true => lines.open("try (Arena lent$ = Arena.ofConfined())"),
            false => lines.open("try"),
        }
        let lifted: Vec<&str> = params.iter().map(|param| param.lifted.as_str()).collect();
        let call = format!("{function}.call({})", lifted.join(", "));
        let at = format!("{name}: the result");
        let (number, memory) = match outcome {
            Outcome::Scalar(_) => (self.checked(&signature.ret, call.clone(), &at), String::new()),
            _ => (String::new(), self.checked(&signature.ret, format!("{call}.segment()"), &at)),
        };
        match outcome {
            Outcome::Nothing => lines.line(format!("{call};")),
            Outcome::Record(id) if self.jni() => lines.line(format!(
                "MemorySegment.copy({memory}, 0L, MemorySegment.ofAddress(result).reinterpret({0}.SIZE), 0L, {0}.SIZE);",
                self.class(id)
            )),
            Outcome::Wide => {
                lines.line(format!("Native.wide(MemorySegment.ofAddress(result).reinterpret(16L), 0L, {call});"));
            }
            Outcome::Scalar(scalar) if self.jni() => match scalar.carrier {
                Carrier::Address => lines.line(format!("return Native.address({});", self.lower(scalar, &call))),
                _ => lines.line(format!("return {};", scalar.lower(&number))),
            },
            Outcome::Address if self.jni() => lines.line(format!("return Native.address({call});")),
            // An invalid result must throw here: elsewhere it would end the virtual machine.
            Outcome::Scalar(scalar) if scalar.carrier == Carrier::Address => {
                lines.line(format!("return Native.returned({});", self.lower(scalar, &call)))
            }
            Outcome::Scalar(scalar) => lines.line(format!("return {};", scalar.lower_register(&number))),
            Outcome::Record(_) => lines.line(format!("return Native.returnedStruct({memory});")),
            _ => lines.line(format!("return Native.returned({call});")),
        }
        lines.close_with("} catch (Throwable thrown) {");
        lines.line(thrown);
        match outcome {
            // The glue returns zeros.
            Outcome::Nothing | Outcome::Wide => {}
            Outcome::Record(_) if self.jni() => {}
            Outcome::Address if self.jni() => lines.line("return 0L;"),
            Outcome::Scalar(scalar) if self.jni() => match scalar.carrier {
                Carrier::Address => lines.line("return 0L;"),
                _ => lines.line(format!("return {};", self.other_number(&signature.ret, scalar))),
            },
            Outcome::Scalar(scalar) => {
                lines.line(format!("return {};", self.other_number(&signature.ret, scalar)))
            }
            Outcome::Record(id) => {
                let made = format!("Arena.ofAuto().allocate({}.LAYOUT)", self.class(id));
                let sets = self.other_struct(&signature.ret, "other");
                if sets.is_empty() {
                    lines.line(format!("return {made};"));
                } else {
                    lines.line(format!("MemorySegment other = {made};"));
                    sets.iter().for_each(|set| lines.line(set));
                    lines.line("return other;");
                }
            }
            _ => lines.line("return MemorySegment.NULL;"),
        }
        lines.close();
        lines.close();
    }

    fn write_of(
        &self,
        index: usize,
        interface: &Interface<'a>,
        params: &[CallbackParam],
        outcome: Outcome,
        lines: &mut Lines,
    ) {
        let Interface { name, signature, .. } = interface;
        let context = signature.context.is_some();
        let parts =
            if context { "MemorySegment segment, MemorySegment context" } else { "MemorySegment segment" };
        let given = if context { "segment, context" } else { "segment" };
        let mut arguments = vec![self.handed("this.segment")];
        if matches!(outcome, Outcome::Record(_)) && !self.jni() {
            arguments.push("(SegmentAllocator) Arena.ofAuto()".into());
        }
        let mut shown = 0;
        for (index, param) in signature.params.iter().enumerate() {
            if signature.context == Some(index as u32) {
                arguments.push(self.handed("this.context"));
                continue;
            }
            let given = params[shown].name.clone();
            let checked = |value| self.checked(&param.ty, value, &format!("{name}: {given}"));
            arguments.push(match self.kind(&param.ty) {
                Kind::Scalar(scalar) if scalar.carrier == Carrier::Address => {
                    self.handed(&self.lower(scalar, &given))
                }
                Kind::Scalar(scalar) if self.jni() => scalar.lower(&checked(given.clone())),
                Kind::Scalar(scalar) => scalar.lower_register(&checked(given.clone())),
                _ => self.handed(&checked(format!("{given}.segment()"))),
            });
            shown += 1;
        }
        if self.jni() && matches!(outcome, Outcome::Record(_)) {
            arguments.push("result.address()".into());
        }
        lines.blank();
        lines.docs(&Docs::new("The native function at an address.", None));
        lines.open(format!("static {name} of({parts})"));
        lines.line(format!("return new NativeAt({given});"));
        lines.close();
        lines.blank();
        lines.docs(&Docs::new("A native function. Passed on, it is itself what is called.", None));
        // A context is passed beside its function, which only its caller can do.
        let memory = if context { "" } else { ", NativeMemory" };
        lines.open(format!("record NativeAt({parts}) implements {name}{memory}"));
        lines.line("@Override");
        let taken: Vec<String> = params.iter().map(|param| format!("{} {}", param.ty, param.name)).collect();
        let ret = self.spelled(outcome.java(self), outcome.nullable() == Some(true));
        lines.open(format!("public {ret} call({})", taken.join(", ")));
        lines.open("try");
        let arguments = arguments.join(", ");
        let invocation = match self.jni() {
            true => format!("{CALLS}.callback_{index}({arguments})"),
            false => format!("Kept.Address.HANDLE.invokeExact({arguments})"),
        };
        match outcome {
            Outcome::Scalar(scalar) if self.jni() => match scalar.carrier {
                Carrier::Address => {
                    let address = format!("MemorySegment.ofAddress({invocation})");
                    lines.line(format!("return {};", self.lift(scalar, &address)));
                }
                _ => lines.line(format!("return {};", scalar.lift(&invocation))),
            },
            Outcome::Record(id) if self.jni() => {
                let class = self.class(id);
                lines.line(format!("MemorySegment result = Arena.ofAuto().allocate({class}.LAYOUT);"));
                lines.line(format!("{invocation};"));
                lines.line(format!("return new {class}(result);"));
            }
            Outcome::Scalar(scalar) => {
                lines.line(format!("{0} result = ({0}) {invocation};", scalar.register_java()));
                lines.line(format!("return {};", self.lift_register(scalar, "result")));
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
        lines.close();
        lines.close();
    }

    /// Whether Java can call it by its address without extra memory.
    pub fn callable(&self, signature: &'a Signature) -> bool {
        let simple = |ty: &'a Ty| match self.kind(ty) {
            Kind::Scalar(_) => true,
            Kind::Record(id) => self.api.get(id).idiom.is_none(),
            _ => false,
        };
        let contexts = !signature.kept && signature.params.iter().all(|param| param.context_of.is_none());
        let params = signature.params.iter().all(|param| simple(&param.ty));
        contexts && params && (signature.ret == Ty::Unit || simple(&signature.ret))
    }

    /// What a callback returns: instead of a copy, memory that the callback names.
    fn outcome_of_callback(&self, ty: &'a Ty) -> Outcome {
        match self.outcome(ty) {
            Outcome::Str | Outcome::Slice(_) | Outcome::Buffer(_) | Outcome::Text => match self.kind(ty) {
                Kind::Record(id) => Outcome::Record(id),
                _ => Outcome::Nothing,
            },
            outcome @ Outcome::CString { .. } => outcome.address(),
            outcome => outcome,
        }
    }

    /// The Java type that a value arrives in.
    fn carried(&self, ty: &'a Ty) -> &'static str {
        if self.jni() {
            return self.native_type(ty);
        }
        match self.kind(self.passed(ty)) {
            Kind::Scalar(scalar) => scalar.register_java(),
            _ => "MemorySegment",
        }
    }

    /// An argument of `upcall`: JNI passes addresses as numbers.
    fn arrived(&self, argument: &str, ty: &'a Ty) -> String {
        match self.kind(ty) {
            _ if !self.jni() => argument.to_owned(),
            Kind::Scalar(scalar) if scalar.carrier != Carrier::Address => argument.to_owned(),
            Kind::Record(_) | Kind::Wide => {
                format!("MemorySegment.ofAddress({argument}).reinterpret({}L, lent$, null)", self.size(ty))
            }
            _ => format!("MemorySegment.ofAddress({argument})"),
        }
    }

    fn callback_params(&self, name: &str, signature: &'a Signature) -> Vec<CallbackParam> {
        let context = |index: usize| signature.context == Some(index as u32);
        let mut params: Vec<CallbackParam> = Vec::new();
        for (index, param) in signature.params.iter().enumerate() {
            if context(index) || param.context_of.is_some() {
                continue;
            }
            let mut shown = self.callback_param(name, signature, index, param);
            shown.name = names::apart(shown.name, |name| params.iter().any(|before| before.name == name));
            params.push(shown);
        }
        params
    }

    fn callback_param(
        &self,
        owner: &str,
        signature: &'a Signature,
        index: usize,
        param: &'a Param,
    ) -> CallbackParam {
        let name = names::param_name(&param.name);
        let argument = self.arrived(&format!("arg{index}"), &param.ty);
        if let Kind::Function { signature: inner, named, .. } = self.kind(&param.ty)
            && self.callable(inner)
        {
            let ty = match named {
                Some(id) => self.class(id).to_owned(),
                None => self.interface(owner, &param.name),
            };
            let context = signature.context_of(index);
            let context = match (inner.context, context) {
                (None, _) => String::new(),
                (Some(_), Some(context)) => {
                    format!(", {}", self.arrived(&format!("arg{context}"), &signature.params[context].ty))
                }
                (Some(_), None) => ", MemorySegment.NULL".into(),
            };
            let lifted = format!("Native.isNull({argument}) ? null : {ty}.of({argument}{context})");
            return CallbackParam { ty, name, lifted };
        }
        let outcome = match self.outcome(&param.ty) {
            // Where its end is, is not known.
            text @ Outcome::CString { .. } => text.address(),
            outcome => outcome,
        };
        let lifted = match outcome {
            Outcome::Scalar(scalar) if self.jni() => self.lift(scalar, &argument),
            Outcome::Scalar(scalar) => self.lift_register(scalar, &argument),
            Outcome::Slice(size) => format!("Native.slice({argument}, {size}L, lent$)"),
            _ => outcome.lift(self, &argument),
        };
        let ty = self.spelled(outcome.java(self), outcome.nullable() == Some(true));
        CallbackParam { ty, name, lifted }
    }
}

/// A parameter as the user's function takes it.
struct CallbackParam {
    ty: String,
    name: String,
    /// Converts the native value to that.
    lifted: String,
}
