//! Members: handles with a deterministic release, and the methods of structs.

use super::call::{Call, Outcome};
use super::lines::{Docs, Lines};
use super::names;
use super::surface::Java;
use crate::Diagnostics;
use crate::model::{Body, Function, Member, Role, Ty, TypeId};

/// Methods that every handle has.
const OWN: &[&str] = &["close", "closed", "segment"];

impl<'a> Java<'a> {
    /// The members of a type, in source order.
    pub fn members(&self, id: TypeId) -> Vec<(&'a Function, &'a Member)> {
        let member = |function: &'a Function| {
            let member = function.member.as_ref()?;
            (member.of == id && self.written.contains(function.name.as_str())).then_some((function, member))
        };
        self.api.functions.iter().filter_map(member).collect()
    }

    /// A class around an address. It is `AutoCloseable` if the type has a release.
    pub fn write_handle(&self, id: TypeId, lines: &mut Lines, diagnostics: &mut Diagnostics) {
        let declared = self.api.get(id);
        let class = self.class(id);
        let release = self.release(id);
        let cleaned = release.is_some() && self.options.cleaned.contains(&declared.name);
        let docs = Docs::new(&declared.docs, declared.deprecated.as_deref());
        lines.docs(&match (release, cleaned) {
            (Some(_), true) => {
                docs.note("Closing it releases it; one that was forgotten is released some time later.")
            }
            (Some(_), false) => {
                docs.note("Closing it releases it. One that is never closed is never released.")
            }
            _ => docs,
        });
        lines.line("@SuppressWarnings(\"deprecation\")");
        let implements = if release.is_some() { " implements AutoCloseable" } else { "" };
        lines.open(format!("public final class {class}{implements}"));
        if cleaned {
            lines.line("private static final Cleaner CLEANER = Cleaner.create();");
            lines.blank();
        }
        if release.is_some() {
            lines.line("private final NativeUses uses = new NativeUses();");
        }
        lines.line("private final MemorySegment segment;");
        if cleaned {
            lines.line("private final Cleaner.Cleanable cleanable;");
        }
        lines.blank();
        let owned =
            if release.is_some() { "Takes over what is at an address." } else { "What is at an address." };
        lines.docs(&Docs::new(owned, None));
        lines.open(format!("public {class}(MemorySegment address)"));
        lines.line(format!("segment = Native.present(address, \"{class}\");"));
        if let (true, Some(release)) = (cleaned, release) {
            let release = self.method_name(&release.name);
            lines.line(format!(
                "cleanable = CLEANER.register(this, () -> {}.{release}(address));",
                self.names.main
            ));
        }
        lines.close();
        lines.blank();
        lines.docs(&Docs::new("Its address. A closed one has none: that is an error.", None));
        lines.open("public MemorySegment segment()");
        if release.is_some() {
            lines.open("if (uses.closed())");
            lines.line(format!("throw new IllegalStateException(\"the {class} is closed\");"));
            lines.close();
        }
        lines.line("return segment;");
        lines.close();
        if release.is_some() {
            lines.blank();
            lines.docs(&Docs::new("Its address for a call, during which it is not released.", None));
            lines.open("MemorySegment hold$()");
            lines.open("if (!uses.begin())");
            lines.line(format!("throw new IllegalStateException(\"the {class} is closed\");"));
            lines.close();
            lines.line("return segment;");
            lines.close();
            lines.blank();
            lines.docs(&Docs::new("The call is over: a handle that was closed meanwhile is released.", None));
            lines.open("void letGo$()");
            lines.open("if (uses.end())");
            lines.line("release$();");
            lines.close();
            lines.close();
        }
        self.write_members(id, lines, diagnostics);
        if let Some(release) = release {
            self.write_close(release, cleaned, lines);
        }
        lines.close();
    }

    fn write_close(&self, release: &Function, cleaned: bool, lines: &mut Lines) {
        lines.blank();
        lines.docs(
            &Docs::new(&release.docs, release.deprecated.as_deref())
                .note("Releases it, once the calls that use it are over. A second time does nothing."),
        );
        lines.line("@Override");
        lines.open("public void close()");
        lines.open("if (uses.close())");
        lines.line("release$();");
        lines.close();
        lines.close();
        lines.blank();
        lines.open("private void release$()");
        match cleaned {
            true => lines.line("cleanable.clean();"),
            false => lines.line(format!("{}.{}(segment);", self.names.main, self.method_name(&release.name))),
        }
        lines.close();
    }

    /// Constructors, methods and static methods that call the functions.
    pub fn write_members(&self, id: TypeId, lines: &mut Lines, diagnostics: &mut Diagnostics) {
        let mut scope = names::scope();
        let is_handle = matches!(self.api.get(id).body, Body::Opaque);
        for (function, member) in self.members(id) {
            if member.role == Role::Release {
                continue;
            }
            let call = self.call(function);
            let mut name = names::member_name(&member.name);
            if OWN.contains(&name.as_str()) || (!is_handle && super::record::field_name(&member.name) != name)
            {
                name.push('_');
            }
            let method = member.role == Role::Method;
            let skipped =
                usize::from(method) + usize::from(method && matches!(call.outcome, Outcome::Record(_)));
            let key = format!("{name}({})", types(&call, skipped).join(", "));
            if scope.declare(&key, &function.name, &function.place, diagnostics) {
                self.write_member(function, member, &call, &name, lines);
            }
        }
    }

    fn write_member(
        &self,
        function: &'a Function,
        member: &Member,
        call: &Call,
        name: &str,
        lines: &mut Lines,
    ) {
        let class = self.class(member.of);
        let method = member.role == Role::Method;
        let is_handle = matches!(self.api.get(member.of).body, Body::Opaque);
        let constructor = is_handle && member.role == Role::Constructor && member.name == "new";
        let own = usize::from(matches!(call.outcome, Outcome::Record(_)));
        let (mut taken, mut given, mut held) = (Vec::new(), Vec::new(), Vec::new());
        for (index, (ty, param)) in call.params.iter().enumerate() {
            if method && index == own {
                if self.release(member.of).is_some() {
                    given.push("self$".to_owned());
                    held.push(("self$".to_owned(), String::new()));
                } else {
                    given.push("segment()".to_owned());
                }
                continue;
            }
            let handle = self.handle_of(function, call, index);
            match handle {
                Some(id) => {
                    taken.push(format!("{} {param}", self.class(id)));
                    if self.release(id).is_some() {
                        given.push(format!("{param}$"));
                        held.push((format!("{param}$"), format!("{param}.")));
                    } else {
                        given.push(format!("{param}.segment()"));
                    }
                }
                None => {
                    taken.push(format!("{ty} {param}"));
                    given.push(param.clone());
                }
            }
        }
        let invocation =
            format!("{}.{}({})", self.names.main, self.method_name(&function.name), given.join(", "));
        let made = self.handle_behind(&function.signature.ret, true);
        lines.blank();
        lines.docs(&Docs::new(&function.docs, function.deprecated.as_deref()));
        let taken = taken.join(", ");
        if constructor {
            lines.open(format!("public {class}({taken})"));
            if held.is_empty() {
                lines.line(format!("this({invocation});"));
                lines.close();
                return;
            }
            lines.line(format!("this(new$({}));", names_of(call)));
            lines.close();
            lines.blank();
            lines.open(format!("private static MemorySegment new$({taken})"));
            holding(&held, &format!("return {invocation};"), lines);
            lines.close();
            return;
        }
        let modifier = if method { "" } else { "static " };
        let ret = made.map_or_else(|| call.outcome.java(self), |id| self.class(id).to_owned());
        lines.open(format!("public {modifier}{ret} {name}({taken})"));
        let line = match made {
            Some(id) => format!("return new {}({invocation});", self.class(id)),
            None if ret == "void" => format!("{invocation};"),
            None => format!("return {invocation};"),
        };
        holding(&held, &line, lines);
        lines.close();
    }

    /// The function that releases a handle.
    fn release(&self, id: TypeId) -> Option<&'a Function> {
        let release = self.members(id).into_iter().find(|(_, member)| member.role == Role::Release);
        release.map(|(function, _)| function)
    }

    /// The function that releases what a function returns.
    pub fn release_of(&self, ty: &'a Ty) -> Option<&'a Function> {
        self.release(self.handle_behind(ty, true)?)
    }

    /// The handle that a surface parameter points to.
    fn handle_of(&self, function: &'a Function, call: &Call, index: usize) -> Option<TypeId> {
        let source = call.sources[index]?;
        self.handle_behind(&function.signature.params[source].ty, false)
    }

    /// The handle behind a pointer that is never null, or that is owned.
    fn handle_behind(&self, ty: &'a Ty, owned: bool) -> Option<TypeId> {
        let (id, pointer) = self.api.behind(ty)?;
        let wanted = if owned { pointer.owned } else { !pointer.nullable && !pointer.owned };
        let opaque = matches!(self.api.get(id).body, Body::Opaque);
        (wanted && opaque && !self.members(id).is_empty()).then_some(id)
    }
}

fn types(call: &Call, skipped: usize) -> Vec<&str> {
    call.params.iter().skip(skipped).map(|(ty, _)| ty.as_str()).collect()
}

fn names_of(call: &Call) -> String {
    call.params.iter().map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(", ")
}

/// A statement during which handles are not released: their variables, and who owns them.
fn holding(held: &[(String, String)], statement: &str, lines: &mut Lines) {
    let Some(((variable, of), rest)) = held.split_first() else {
        lines.line(statement);
        return;
    };
    lines.line(format!("MemorySegment {variable} = {of}hold$();"));
    lines.open("try");
    holding(rest, statement, lines);
    lines.close_with("} finally {");
    lines.line(format!("{of}letGo$();"));
    lines.close();
}
