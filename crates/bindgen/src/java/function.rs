//! Methods of the main class.

use super::call::{Call, Outcome};
use super::jni::CALLS;
use super::lines::{Docs, Lines, literal};
use super::names;
use super::surface::Java;
use crate::model::{Function, Linkage};

impl<'a> Java<'a> {
    /// A function's method, and a variant that takes arrays instead of slices of numbers; then the class that
    /// looks up its symbol on the first call.
    pub fn write_function(&self, function: &'a Function, lines: &mut Lines) {
        let call = self.call(function);
        let name = self.method_name(&function.name);
        let holder = format!("Call_{}", function.name);
        self.write_method(function, &call, &name, &holder, lines);
        self.write_array_method(function, &call, &name, lines);
        if !self.jni() {
            self.write_holder(function, &call, &holder, lines);
        }
    }

    fn write_method(&self, function: &'a Function, call: &Call, name: &str, holder: &str, lines: &mut Lines) {
        lines.blank();
        lines.docs(&self.docs(function, call));
        let ret = call.outcome.java(self);
        lines.open(format!("public static {ret} {name}({})", params(call)));
        for statement in &call.before {
            lines.line(statement);
        }
        if call.scratch {
            lines.line("Native.Scratch scratch = Native.scratch();");
            lines.line("long mark = scratch.mark();");
        }
        lines.open("try");
        self.write_invocation(function, call, holder, lines);
        lines.close_with("} catch (Throwable thrown) {");
        lines.line("throw Native.thrown(thrown);");
        if call.scratch || !call.finally.is_empty() {
            lines.close_with("} finally {");
            if call.scratch {
                lines.line("scratch.release(mark);");
            }
            for statement in &call.finally {
                lines.line(statement);
            }
        }
        lines.close();
        lines.close();
    }

    fn write_invocation(&self, function: &'a Function, call: &Call, holder: &str, lines: &mut Lines) {
        for statement in &call.within {
            lines.line(statement);
        }
        let mut arguments = call.arguments.clone();
        if function.fallible {
            lines.line("MemorySegment failure = scratch.allocate(8L, 8L);");
            arguments.push(self.handed("failure"));
        }
        let critical = self.critical(function);
        let written = call.result.is_none();
        if call.outcome.in_memory() && !written {
            let allocator = match call.outcome {
                Outcome::Record(_) => "allocator",
                // The exact type counts.
                _ => "(SegmentAllocator) scratch",
            };
            arguments.insert(0, allocator.into());
        }
        let arguments = arguments.join(", ");
        let carrier = match call.outcome {
            Outcome::Scalar(scalar) => scalar.carrier.java(),
            _ => "MemorySegment",
        };
        let (invocation, made) = if self.jni() {
            let invocation = format!("{CALLS}.call_{}({arguments})", function.name);
            let made = match carrier {
                "MemorySegment" => format!("MemorySegment.ofAddress({invocation})"),
                _ => invocation.clone(),
            };
            (invocation, made)
        } else {
            let invocation = format!("{holder}.HANDLE.invokeExact({arguments})");
            let made = format!("({carrier}) {invocation}");
            (invocation, made)
        };
        let rethrow = !critical && self.calls_back;
        let lift = call.outcome.lift(self, "result");
        let plain = call.after.is_empty() && !function.fallible && !rethrow;
        match call.outcome {
            _ if written => lines.line(format!("{invocation};")),
            Outcome::Scalar(_) | Outcome::Address if plain && lift == "result" => {
                lines.line(format!("return {made};"));
                return;
            }
            _ => lines.line(format!("{carrier} result = {made};")),
        }
        for statement in &call.after {
            lines.line(statement);
        }
        if function.fallible {
            lines.line("NativeException failed = Native.failure(failure);");
        }
        let nothing = matches!(call.outcome, Outcome::Nothing);
        // Owned values must be taken over before anything is thrown.
        let lifted = (function.fallible || rethrow) && !nothing && lift != "result";
        if lifted {
            lines.line(format!("{} returned = {lift};", call.outcome.java(self)));
        }
        if rethrow {
            lines.open("if (NativeThrown.any)");
            let rethrow = format!("NativeThrown.rethrow({});", call.cells.join(", "));
            // Nobody else would release the result when a callback has thrown.
            let unwanted = match call.outcome {
                Outcome::Buffer(_) => Some("returned.close();".to_owned()),
                Outcome::Scalar(_) => self.release_of(&function.signature.ret).map(|release| {
                    format!("if (!Native.isNull(result)) {}(result);", self.method_name(&release.name))
                }),
                _ => None,
            };
            match unwanted {
                None => lines.line(rethrow),
                Some(unwanted) => {
                    lines.open("try");
                    lines.line(rethrow);
                    lines.close_with("} catch (Throwable thrown) {");
                    lines.line(unwanted);
                    lines.line("throw thrown;");
                    lines.close();
                }
            }
            lines.close();
        }
        if function.fallible {
            lines.open("if (failed != null)");
            lines.line("throw failed;");
            lines.close();
        }
        match nothing {
            true => {}
            false if lifted => lines.line("return returned;"),
            false => lines.line(format!("return {lift};")),
        }
    }

    fn write_array_method(&self, function: &Function, call: &Call, name: &str, lines: &mut Lines) {
        if call.arrays.is_empty() {
            return;
        }
        let array = |index: usize| call.arrays.iter().find(|(at, _)| *at == index).map(|(_, array)| *array);
        let (mut taken, mut given) = (Vec::new(), Vec::new());
        for (index, (ty, name)) in call.params.iter().enumerate() {
            match array(index) {
                Some(array) => {
                    taken.push(format!("{array} {name}"));
                    given.push(format!("MemorySegment.ofArray({name})"));
                }
                None => {
                    taken.push(format!("{ty} {name}"));
                    given.push(name.clone());
                }
            }
        }
        lines.blank();
        lines.docs(&Docs::new(&function.docs, function.deprecated.as_deref()));
        let ret = call.outcome.java(self);
        lines.open(format!("public static {ret} {name}({})", taken.join(", ")));
        let back = if ret == "void" { "" } else { "return " };
        lines.line(format!("{back}{name}({});", given.join(", ")));
        lines.close();
    }

    fn write_holder(&self, function: &Function, call: &Call, holder: &str, lines: &mut Lines) {
        let mut layouts = call.layouts.clone();
        if function.fallible {
            layouts.push("ValueLayout.ADDRESS".into());
        }
        let descriptor = match &call.result {
            Some(result) => {
                layouts.insert(0, result.clone());
                format!("FunctionDescriptor.of({})", layouts.join(", "))
            }
            None => format!("FunctionDescriptor.ofVoid({})", layouts.join(", ")),
        };
        let (symbol, linkage) = self.symbol(function, call);
        let lookup = match linkage {
            Linkage::Library => "function",
            Linkage::Inline => "inline",
            Linkage::Shim => "shim",
        };
        let option = if self.critical(function) { ", Linker.Option.critical(true)" } else { "" };
        lines.blank();
        lines.open(format!("private static final class {holder}"));
        lines.line("static final MethodHandle HANDLE =");
        lines.line(format!("        Native.{lookup}({}, {descriptor}{option});", literal(&symbol)));
        lines.close();
    }

    fn docs(&self, function: &Function, call: &Call) -> Docs {
        let mut docs = Docs::new(&function.docs, function.deprecated.as_deref());
        if let Outcome::Scalar(scalar) = call.outcome
            && let Some(note) = super::call::number_note(scalar, &function.signature.ret)
        {
            docs = docs.tag(format!("@return {note}"));
        }
        if let Outcome::Slice(size) = call.outcome {
            docs = docs.tag(format!("@return borrowed memory, {size} bytes an element"));
        }
        if function.fallible {
            docs = docs.tag("@throws NativeException when it fails");
        }
        call.tags.iter().fold(docs, |docs, tag| docs.tag(tag.clone()))
    }

    /// The Java name of a function.
    pub fn method_name(&self, function: &str) -> String {
        self.options.renamed.get(function).cloned().unwrap_or_else(|| names::member_name(function))
    }

    /// Whether the function was requested as critical.
    pub fn critical(&self, function: &Function) -> bool {
        !self.jni() && self.options.critical.contains(&function.name)
    }
}

/// A method's parameters as Java writes them.
pub(super) fn params(call: &Call) -> String {
    let params: Vec<String> = call.params.iter().map(|(ty, name)| format!("{ty} {name}")).collect();
    params.join(", ")
}
