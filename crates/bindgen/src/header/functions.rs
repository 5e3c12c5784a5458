//! Functions and variables.

use super::names::{escape, is_plain};
use super::values::quoted;
use super::writer::Writer;
use crate::model::{Function, Signature, Static, Ty};

const RELEASE: &str = "upcall_failure_release";

/// Targets on which rustc passes the address of a parameter without bytes, as C compilers do there.
const PASSES_EMPTY: [&str; 4] = ["windows-gnu", "s390x", "sparc64", "powerpc"];

impl Writer<'_> {
    pub fn function(&mut self, function: &Function) {
        let (name, suffix) = exported(&function.symbol, &function.name);
        let what = format!("the function `{}`", function.name);
        if !self.scope.take(&name, what, &function.place, self.diagnostics) {
            return;
        }
        let Some(signature) = self.without_empty(function) else { return };
        let mut last = "failure".to_owned();
        while signature.params.iter().any(|param| param.name == last) {
            last.push('_');
        }
        let last: Vec<String> =
            function.fallible.then(|| format!("{} **{last}", self.failure())).into_iter().collect();
        let mut docs = function.docs.clone();
        let mut add = |text: &str| {
            let gap = if docs.is_empty() { "" } else { "\n\n" };
            docs += gap;
            docs += text;
        };
        kept(&signature).for_each(|text| add(&text));
        if function.fallible {
            add(
                "`*failure` is null before the call. If it is not afterwards, the call failed and what it returned is\n\
                     zero; release the failure with `upcall_failure_release`.",
            );
        }
        self.text.push('\n');
        self.docs(&docs, "");
        let deprecated = self.deprecated(function.deprecated.as_ref());
        let text = self.speller().function(&signature, &name, &last);
        self.line(&format!("{deprecated}UPCALL_API {text}{suffix};"));
    }

    /// The function that releases a failure, which the library exports beside its own functions.
    pub fn failure_release(&mut self) {
        let known = self.api.functions.iter().any(|function| function.symbol == RELEASE);
        if !known && self.api.functions.iter().any(|function| function.fallible) {
            let failure = self.failure();
            self.line(&format!(
                "\n/** Takes a failure back. */\nUPCALL_API void {RELEASE}({failure} *failure);"
            ));
        }
    }

    /// The signature as C has it. Rust passes nothing for a parameter without bytes, and C cannot name one.
    fn without_empty(&mut self, function: &Function) -> Option<Signature> {
        let mut signature = function.signature.clone();
        let empty = |ty: &Ty| self.api.layout(ty).is_some_and(|layout| layout.size == 0);
        signature.params.retain(|param| !empty(&param.ty));
        if empty(&signature.ret) {
            signature.ret = Ty::Unit;
        }
        let triple = &self.api.target.triple;
        if signature != function.signature && PASSES_EMPTY.iter().any(|target| triple.contains(target)) {
            self.diagnostics.unsupported(
                &function.place,
                format!(
                    "`{}` passes a value without bytes, for which `{triple}` passes an address",
                    function.name
                ),
                "leave the parameter out",
            );
            return None;
        }
        Some(signature)
    }

    /// The type behind a fallible function's last parameter.
    fn failure(&self) -> String {
        self.api.failure().map_or("void".into(), |id| self.names.ty(id))
    }

    pub fn variable(&mut self, variable: &Static) {
        let (name, suffix) = exported(&variable.symbol, &variable.name);
        let what = format!("the variable `{}`", variable.name);
        if !self.scope.take(&name, what, &variable.place, self.diagnostics) {
            return;
        }
        self.text.push('\n');
        self.docs(&variable.docs, "");
        let text = self.speller().qualified(&variable.ty, variable.mutable, &name);
        self.line(&format!("extern UPCALL_API {text}{suffix};"));
    }
}

/// What a caller has to know of each kept callback.
fn kept(signature: &Signature) -> impl Iterator<Item = String> {
    let params = &signature.params;
    params.iter().filter_map(|param| {
        let of = param.release_of? as usize;
        let context = params.get(signature.context_of(of)?)?;
        let (call, context, release) = (&params.get(of)?.name, &context.name, &param.name);
        Some(format!(
            "`{call}` is kept: it may be called after the call has returned, from any thread and on several at once,\n\
             with `{context}`. That belongs to the library with the call, also where the call fails: `{release}`, which may be\n\
             null, is called with it once, on any thread, when `{call}` will not be called any more."
        ))
    })
}

/// The C name of an exported symbol: the symbol itself, if it is a valid C name.
fn exported(symbol: &str, name: &str) -> (String, String) {
    if is_plain(symbol) {
        return (symbol.to_owned(), String::new());
    }
    (escape(name), format!(" UPCALL_SYMBOL({})", quoted(symbol.as_bytes())))
}
