//! Members: handles with a deterministic release, and the methods of structs.

use super::call::{Bare, Call, Outcome};
use super::heap::Form;
use super::lines::{Docs, Lines, literal};
use super::names;
use super::surface::Java;
use crate::Diagnostics;
use crate::model::{Function, Member, Role, TypeId};

/// Methods that every handle has.
const OWN: &[&str] = &["close", "segment"];

impl<'a> Java<'a> {
    /// The members of a type, in source order.
    fn members(&self, id: TypeId) -> Vec<(&'a Function, Member)> {
        let member = |function: &'a Function| Some((function, self.member(function)?));
        self.written_functions().filter_map(member).filter(|(_, member)| member.of == id).collect()
    }

    /// How a function belongs to a type: as the source says, or by its first parameter if the options ask for that.
    fn member(&self, function: &'a Function) -> Option<Member> {
        if function.member.is_some() || !self.options.methods {
            return function.member.clone();
        }
        let of = self.target(&function.signature.params.first()?.ty)?.id;
        let released = self.releases.get(&of).is_some_and(|release| release.name == function.name);
        let role = if released { Role::Release } else { Role::Method };
        // `ZSTD_CCtx_reset` is `reset` of a `ZSTD_CCtx`.
        let (name, of_name) = (self.stripped(&function.name), self.stripped(&self.api.get(of).name));
        let own = name.strip_prefix(of_name).and_then(|rest| rest.strip_prefix('_'));
        let name = own.filter(|own| !own.is_empty()).unwrap_or(name).to_owned();
        self.is_handle(of).then_some(Member { of, role, name })
    }

    /// Whether a member is the constructor of a handle's class.
    pub fn constructs(&self, member: &Member) -> bool {
        self.is_handle(member.of) && member.role == Role::Constructor && member.name == "new"
    }

    /// A class around an address. It is `AutoCloseable` if the type has a release.
    pub fn write_handle(&self, id: TypeId, lines: &mut Lines, diagnostics: &mut Diagnostics) {
        let declared = self.api.get(id);
        let class = self.class(id);
        let release = self.releases.get(&id).copied();
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
        match (release, self.closable.contains(&id)) {
            (Some(_), _) => lines
                .open(format!("public final class {class} extends NativeHandle implements AutoCloseable")),
            (None, true) => lines.open(format!("public final class {class} extends NativeHandle")),
            (None, false) => lines.open(format!("public final class {class} implements NativeMemory")),
        }
        if self.closable.contains(&id) {
            self.write_closable(class, release, cleaned, lines);
        } else {
            lines.line("private final MemorySegment segment;");
            lines.blank();
            lines.docs(&Docs::new("What is at an address.", None));
            lines.open(format!("public {class}(MemorySegment address)"));
            lines.line(format!("segment = Native.presentAddress(address, {}, \"address\");", literal(class)));
            lines.close();
            lines.blank();
            lines.line("@Override");
            lines.open("public MemorySegment segment()");
            lines.line("return segment;");
            lines.close();
            write_of("of$", class, "address", lines);
        }
        self.write_members(id, lines, diagnostics);
        lines.close();
    }

    fn write_closable(&self, class: &str, release: Option<&Function>, cleaned: bool, lines: &mut Lines) {
        let does = match release {
            Some(release) => format!("{}::{}$", self.names.main, self.method_name(&release.name)),
            None => "null".into(),
        };
        let owned = match release {
            Some(_) => "Takes over what is at an address.",
            None => "What is at an address.",
        };
        lines.docs(&Docs::new(owned, None));
        lines.open(format!("public {class}(MemorySegment address)"));
        lines.line("this(Whose.OURS, address);");
        lines.close();
        lines.blank();
        lines.open(format!("private {class}(Whose whose, MemorySegment address)"));
        lines.line(format!("super(address, {}, whose, {cleaned}, {does});", literal(class)));
        lines.close();
        write_of("of$", class, "Whose.THEIRS, address", lines);
        let Some(release) = release else { return };
        write_of("owned$", class, "Whose.OURS, address", lines);
        lines.blank();
        lines.docs(
            &Docs::new(&release.docs, release.deprecated.as_deref())
                .note("Releases it, once the calls that use it are over. A second time does nothing."),
        );
        lines.line("@Override");
        lines.open("public void close()");
        lines.line("close$();");
        lines.close();
    }

    /// Constructors, methods and static methods that call the functions.
    pub fn write_members(&self, id: TypeId, lines: &mut Lines, diagnostics: &mut Diagnostics) {
        let mut scope = names::scope();
        for (function, member) in self.members(id) {
            if member.role == Role::Release {
                continue;
            }
            let mut name = names::member_name(&member.name);
            let taken = !self.is_handle(id) && super::record::field_name(&member.name) != name;
            if OWN.contains(&name.as_str()) || taken {
                name.push('_');
            }
            // Its class has a constructor that takes an address.
            let constructor = self.constructs(&member) && {
                let call = self.call(function, Bare::Result);
                self.taken_types(&call, Form::Memory, None) != ["MemorySegment"]
            };
            let call = self.call(function, if constructor { Bare::Result } else { Bare::None });
            let this = (member.role == Role::Method)
                .then(|| call.params.iter().position(|param| param.source == Some(0)))
                .flatten();
            for form in call.forms() {
                let key = format!("{name}({})", self.taken_types(&call, form, this).join(", "));
                if scope.declare(&key, &function.name, &function.place, diagnostics) {
                    let name = if constructor { None } else { Some(name.as_str()) };
                    self.write_member(function, &member, &call, form, (name, this), lines);
                }
            }
        }
    }

    fn taken_types(&self, call: &Call, form: Form, this: Option<usize>) -> Vec<String> {
        call.shown(this).map(|param| self.shown_type(param, form)).collect()
    }

    /// One way to call one member; without a name it is the constructor.
    fn write_member(
        &self,
        function: &'a Function,
        member: &Member,
        call: &Call,
        form: Form,
        (name, this): (Option<&str>, Option<usize>),
        lines: &mut Lines,
    ) {
        let given = call.params.iter().enumerate();
        let given = given.map(|(at, param)| if Some(at) == this { "this" } else { param.name.as_str() });
        let given: Vec<&str> = given.collect();
        let invocation = format!("{}.{}({})", self.names.main, call.name, given.join(", "));
        let taken = self.taken(call, form, this);
        lines.blank();
        let Some(name) = name else {
            lines.docs(&self.param_docs(function, call, form, this));
            lines.open(format!("public {}({taken})", self.class(member.of)));
            lines.line(format!("this({invocation});"));
            return lines.close();
        };
        lines.docs(&self.docs(function, call, form, this));
        let modifier = if this.is_some() { "" } else { "static " };
        lines.open(format!("public {modifier}{} {name}({taken})", self.returned(call, form)));
        let back = if matches!(call.outcome, Outcome::Nothing) { "" } else { "return " };
        lines.line(format!("{back}{invocation};"));
        lines.close();
    }
}

/// What the functions make an object with.
pub(super) fn write_of(name: &str, class: &str, arguments: &str, lines: &mut Lines) {
    lines.blank();
    lines.open(format!("static {class} {name}(MemorySegment address)"));
    lines.line(format!("return Native.isNull(address) ? null : new {class}({arguments});"));
    lines.close();
}
