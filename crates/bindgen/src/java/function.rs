//! Methods of the main class.

use super::call::{Bare, Call, Outcome, Shown};
use super::heap::{Form, Heap};
use super::jni::CALLS;
use super::lines::{Docs, Lines, literal};
use super::names;
use super::scalar::Scalar;
use super::surface::Java;
use crate::model::{Function, Linkage, Ty};

impl<'a> Java<'a> {
    /// A function's methods, one for each way to call it; then the class that looks up its symbol on the first call.
    pub fn write_function(&self, function: &'a Function, lines: &mut Lines) {
        let call = self.call(function, Bare::None);
        let holder = format!("Call_{}", function.name);
        self.write_method(function, &call, &holder, "public ", lines);
        if let Some(bare) = self.bare(function) {
            self.write_method(function, &self.call(function, bare), &holder, "", lines);
        }
        if !self.jni() {
            self.write_holder(function, &call, &holder, lines);
        }
    }

    /// What the class of a handle needs as an address.
    pub fn bare(&self, function: &Function) -> Option<Bare> {
        let releases = self.releases.values().any(|release| release.name == function.name);
        let constructs = function.member.as_ref().is_some_and(|member| self.constructs(member));
        releases.then_some(Bare::Params).or(constructs.then_some(Bare::Result))
    }

    fn write_method(
        &self,
        function: &'a Function,
        call: &Call,
        holder: &str,
        access: &str,
        lines: &mut Lines,
    ) {
        for form in call.forms() {
            lines.blank();
            lines.docs(&self.docs(function, call, form, None));
            let ret = self.returned(call, form);
            lines.open(format!("{access}static {ret} {}({})", call.name, self.taken(call, form, None)));
            match form {
                _ if call.lends(form) => self.write_lent_form(function, call, form, lines),
                _ => self.write_whole_form(function, call, form, holder, lines),
            }
            lines.close();
        }
    }

    /// The native call, and all around it.
    fn write_whole_form(
        &self,
        function: &'a Function,
        call: &Call,
        form: Form,
        holder: &str,
        lines: &mut Lines,
    ) {
        for statement in &call.before {
            lines.line(statement);
        }
        if call.scratch {
            begin_scratch(lines);
        }
        lines.open("try");
        self.write_invocation(function, call, form, holder, lines);
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
    }

    /// Arguments are copied to native memory, the method for that is called, and what was written is copied back.
    fn write_lent_form(&self, function: &'a Function, call: &Call, form: Form, lines: &mut Lines) {
        let lent = self.lent(call, self.critical(function), form);
        let value = format!("{}({})", call.name, lent.given.join(", "));
        let value = match call.outcome {
            Outcome::CString { .. } => call.outcome.lift(self, &value),
            _ => value,
        };
        let statement = match call.outcome {
            Outcome::Nothing => format!("{value};"),
            _ => format!("return {value};"),
        };
        if lent.before.is_empty() {
            return lines.line(statement);
        }
        begin_scratch(lines);
        lines.open("try");
        for before in &lent.before {
            lines.line(before);
        }
        if lent.after.is_empty() {
            lines.line(statement);
        } else {
            lines.open("try");
            lines.line(statement);
            lines.close_with("} finally {");
            for after in &lent.after {
                lines.line(after);
            }
            lines.close();
        }
        lines.close_with("} finally {");
        lines.line("scratch.release(mark);");
        lines.close();
    }

    fn write_invocation(
        &self,
        function: &'a Function,
        call: &Call,
        form: Form,
        holder: &str,
        lines: &mut Lines,
    ) {
        for statement in &call.within {
            lines.line(statement);
        }
        let mut arguments = call.arguments.clone();
        if function.fallible {
            lines.line("MemorySegment failure = scratch.failure();");
            arguments.push(self.handed("failure"));
        }
        let critical = self.critical(function);
        let outcome = call.outcome_of(form);
        let written = call.result.is_none();
        if outcome.in_memory() && !written {
            let allocator = match outcome {
                Outcome::Record(_) => call.present("allocator"),
                // The exact type counts.
                _ => "(SegmentAllocator) scratch".into(),
            };
            arguments.insert(0, allocator);
        }
        let arguments = arguments.join(", ");
        let carrier = match outcome {
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
        let lift = outcome.lift(self, "result");
        let plain = call.after.is_empty() && !function.fallible && !rethrow;
        match outcome {
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
        let nothing = matches!(outcome, Outcome::Nothing);
        // Owned values must be taken over before anything is thrown.
        let lifted = (function.fallible || rethrow) && !nothing && lift != "result";
        if lifted {
            lines.line(format!("{} returned = {lift};", outcome.java(self)));
        }
        if rethrow {
            lines.open("if (NativeThrown.any)");
            let rethrow = format!("NativeThrown.rethrow({});", call.cells.join(", "));
            // Nobody else would release the result when a callback has thrown.
            let unwanted = match outcome {
                Outcome::Buffer(_) => Some("returned.close();".to_owned()),
                Outcome::Scalar(scalar) => self.unwanted(&function.signature.ret, scalar),
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
            lines.line(match self.exception(function) {
                Some(own) => {
                    format!(
                        "throw failed.code() < 0 ? failed : new {own}(failed.code(), failed.getMessage());"
                    )
                }
                None => "throw failed;".into(),
            });
            lines.close();
        }
        match nothing {
            true => {}
            false if lifted => lines.line("return returned;"),
            false => lines.line(format!("return {lift};")),
        }
    }

    /// How a handle that nobody will receive is released.
    fn unwanted(&self, ty: &'a Ty, scalar: Scalar) -> Option<String> {
        let target = self.target(ty).filter(|target| target.owned)?;
        let release = self.releases.get(&target.id)?;
        Some(match scalar.target {
            Some(_) => "if (returned != null) returned.close();".into(),
            None => format!("if (!Native.isNull(result)) {}$(result);", self.method_name(&release.name)),
        })
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

    /// The Javadoc of one way to call a function; without the parameter that is `this`.
    pub fn docs(&self, function: &Function, call: &Call, form: Form, this: Option<usize>) -> Docs {
        let outcome = call.outcome_of(form);
        let note = match outcome {
            Outcome::Scalar(scalar) => super::call::number_note(scalar, &function.signature.ret),
            Outcome::Slice(size) => Some(format!("borrowed memory, {size} bytes an element")),
            _ => None,
        };
        let docs = self.param_docs(function, call, form, this);
        docs.said("@return", &[note.as_deref(), nullness(outcome.nullable())])
    }

    /// The same without the result, as a constructor has it.
    pub fn param_docs(&self, function: &Function, call: &Call, form: Form, this: Option<usize>) -> Docs {
        let mut docs = Docs::new(&function.docs, function.deprecated.as_deref());
        for param in call.shown(this) {
            let (out, nullable) = match param.heap(form) {
                Some(Heap::Array { back: true, .. } | Heap::Places { back: true, .. }) => {
                    (Some("is written"), param.nullable)
                }
                Some(Heap::Slice(_)) => (None, Some(false)),
                _ => (None, param.nullable),
            };
            let said = [param.note.as_deref(), out, nullness(nullable)];
            docs = docs.said(&format!("@param {}", param.name), &said);
        }
        let thrown = self.exception(function).unwrap_or("NativeException");
        if function.fallible { docs.tag(format!("@throws {thrown} when it fails")) } else { docs }
    }

    /// The parameters of one way to call a function, as Java writes them.
    pub fn taken(&self, call: &Call, form: Form, this: Option<usize>) -> String {
        let shown = call.shown(this).map(|param| format!("{} {}", self.shown_type(param, form), param.name));
        shown.collect::<Vec<_>>().join(", ")
    }

    /// What it returns.
    pub fn returned(&self, call: &Call, form: Form) -> String {
        let outcome = call.outcome_of(form);
        self.spelled(outcome.java(self), outcome.nullable() == Some(true))
    }

    /// A name of the source without the prefix that the options take off.
    pub fn stripped<'n>(&self, name: &'n str) -> &'n str {
        names::stripped(name, self.options)
    }

    /// The Java name of a function.
    pub fn method_name(&self, function: &str) -> String {
        self.options
            .renamed
            .get(function)
            .cloned()
            .unwrap_or_else(|| names::member_name(self.stripped(function)))
    }

    /// Whether the function was requested as critical.
    pub fn critical(&self, function: &Function) -> bool {
        !self.jni() && self.options.critical.contains(&function.name)
    }
}

impl Call {
    /// The parameters without the one that is `this`.
    pub fn shown(&self, this: Option<usize>) -> impl Iterator<Item = &Shown> {
        let shown = self.params.iter().enumerate().filter(move |(at, _)| Some(*at) != this);
        shown.map(|(_, param)| param)
    }
}

fn nullness(nullable: Option<bool>) -> Option<&'static str> {
    nullable.map(|nullable| if nullable { "may be null" } else { "not null" })
}

fn begin_scratch(lines: &mut Lines) {
    lines.line("Native.Scratch scratch = Native.scratch();");
    lines.line("long mark = scratch.mark();");
}
