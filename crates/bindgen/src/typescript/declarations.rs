//! `index.d.ts`.

mod types;

use super::classes::{bigint, integer, memory};
use super::kind::{is_bigint, is_record};
use super::loose::Loose;
use super::names::{self, docs, global, member, method, quoted, variant};
use super::{HEADER, Options};
use crate::model::{Api, Bits, Body, Declared, Field, Function, Idiom, Role, Ty, TypeId, Value};
use crate::plan::{Given, Handle, Handles, Kind, Number};
use std::fmt::Write as _;

pub(super) fn text(api: &Api, options: &Options, functions: &[&Function], handles: &Handles<'_>) -> String {
    let mut to = Declarations {
        api,
        options,
        handles,
        top: names::Top::new(api, options),
        loose: Loose::new(api),
        text: String::new(),
    };
    for (id, declared) in api.declared() {
        to.declared(id, declared);
    }
    for error in api.errors() {
        let class = global(&api.error_class(error, &[]));
        let _ = writeln!(
            to.text,
            "\n/** What a function throws for its error {error}. */\nexport declare class {class} extends NativeError {{}}"
        );
    }
    for function in functions {
        let (params, mut ret) = to.signature(function, 0);
        if let Some(given) = handles.given(function).filter(|_| function.member.is_none()) {
            ret = to.given(given);
        }
        let name = names::function(options, function);
        to.text.push('\n');
        let about = to.about(function, "");
        to.text.push_str(&about);
        let _ = writeln!(to.text, "export declare function {name}({params}): {ret};");
    }
    for handle in handles.iter() {
        to.handle(handle);
    }
    for constant in &api.constants {
        let ty = match &constant.value {
            Value::Str(text) => quoted(text),
            Value::Char(char) => quoted(&char.to_string()),
            Value::Bool(truth) => truth.to_string(),
            Value::CStr(bytes) => std::str::from_utf8(bytes).map_or_else(|_| "Uint8Array".into(), quoted),
            // For parameters of any pointer type.
            Value::Int(_) if matches!(Kind::of(api, &constant.ty), Kind::Pointer(_)) => "Pointer<any>".into(),
            Value::Int(value) if matches!(Kind::of(api, &constant.ty), Kind::Int(number) if number.is_word()) => {
                if integer(*value, false).ends_with('n') { "bigint" } else { "number" }.into()
            }
            _ => to.output(&constant.ty),
        };
        to.text.push('\n');
        to.text.push_str(&docs(&constant.docs, None, ""));
        let _ = writeln!(to.text, "export declare const {}: {ty};", global(&constant.name));
    }
    to.text.push_str("\n/** The library's variables. */\nexport declare const statics: {\n");
    for item in &api.statics {
        if memory(api, options, &item.ty).is_some() {
            let readonly = if item.mutable { "" } else { "readonly " };
            let ty = to.output(&item.ty);
            to.text.push_str(&docs(&item.docs, None, "  "));
            let _ = writeln!(to.text, "  {readonly}{}: {ty};", quoted(&item.name));
        }
    }
    to.text.push_str("};\n");
    format!("{HEADER}{}{}", include_str!("runtime/runtime.d.ts"), to.text)
}

/// What `Rel` and slices have as `elements`.
const RELATED: &str = "  /**
   * The elements, whose offset counts from the start of `base`. What is not within it is a `RangeError`;
   * how far memory goes from an address is the program's matter.
   */
";
const BASE: &str = "base: Pointer<any> | View | NativeArray<any> | ArrayBuffer | ArrayBufferView";
const SLICED: &str =
    "  /** The elements where they are, which must be there as long as they are looked at. */\n";

/// The class of a variant's data, besides the interface `Init` and what every class has.
fn inner_class(variant: &str) -> String {
    match variant {
        "Init" | "align" | "array" | "at" | "length" | "name" | "offsets" | "prototype" | "read" | "size"
        | "tags" => format!("{variant}_"),
        _ => global(variant),
    }
}

struct Declarations<'a> {
    api: &'a Api,
    options: &'a Options,
    handles: &'a Handles<'a>,
    top: names::Top,
    loose: Loose,
    text: String,
}

impl Declarations<'_> {
    fn declared(&mut self, id: TypeId, declared: &Declared) {
        let name = global(&declared.name);
        let about = docs(&declared.docs, declared.deprecated.as_deref(), "");
        let (variants, repr, flags) = match &declared.body {
            Body::Enum(body) => (&body.variants, body.repr, false),
            Body::Flags(body) => (&body.bits, body.repr, true),
            _ if is_record(declared) => {
                self.text.push('\n');
                self.text.push_str(&about);
                self.class(id, declared, &name);
                return;
            }
            _ if matches!(Kind::of(self.api, &Ty::Named(id)), Kind::Empty(_) | Kind::Opaque(_))
                && self.handles.get(id).is_none() =>
            {
                let _ = write!(
                    self.text,
                    "\n{about}export interface {name} {{\n  readonly opaque: {};\n}}\n",
                    quoted(&declared.name)
                );
                return;
            }
            _ => return,
        };
        let suffix = if bigint(self.api, repr) { "n" } else { "" };
        let _ = write!(self.text, "\n{about}export declare const {name}: {{\n");
        for variant in variants {
            self.text.push_str(&docs(&variant.docs, None, "  "));
            let value = integer(variant.value, bigint(self.api, repr));
            let _ = writeln!(self.text, "  readonly {}: {value};", names::key(&variant.name));
        }
        let of = match flags || variants.is_empty() {
            true if suffix.is_empty() => "number".into(),
            true => "bigint".into(),
            false => format!("(typeof {name})[keyof typeof {name}]"),
        };
        let _ = write!(self.text, "}};\n{about}export type {name} = {of};\n");
    }

    fn class(&mut self, id: TypeId, declared: &Declared, name: &str) {
        let _ = write!(
            self.text,
            "export declare class {name} extends View {{\n  constructor(init?: {name} | {name}.Init);\n  \
             static readonly size: number;\n  static readonly align: number;\n"
        );
        let mut init = String::new();
        let mut inner = String::new();
        match &declared.body {
            Body::Struct(record) | Body::Union(record) => {
                let offsets: Vec<String> = record
                    .fields
                    .iter()
                    .map(|field| format!("readonly {}: number", member(self.options, &field.name)))
                    .collect();
                let _ = writeln!(self.text, "  static readonly offsets: {{ {} }};", offsets.join("; "));
                let fields = self.fields(id, &record.fields, &mut init);
                self.text.push_str(&fields);
                let (docs, base, of) = match &declared.idiom {
                    Some(Idiom::Rel { of }) => (RELATED, BASE, of),
                    Some(Idiom::Slice { of, .. }) => (SLICED, "", of),
                    _ => ("", "", &Ty::Unit),
                };
                if memory(self.api, self.options, of).is_some() {
                    let of = self.elements(of, false);
                    let _ = writeln!(self.text, "{docs}  elements({base}): {of};");
                }
            }
            Body::Tagged(tagged) => {
                let tags: Vec<String> = tagged
                    .variants
                    .iter()
                    .map(|of| format!("readonly {}: {}", variant(&of.name), of.value))
                    .collect();
                let _ = writeln!(self.text, "  static readonly tags: {{ {} }};", tags.join("; "));
                let tag = if bigint(self.api, tagged.tag) { "bigint" } else { "number" };
                let _ = writeln!(self.text, "  tag: {tag};");
                for of in &tagged.variants {
                    let shown = variant(&of.name);
                    self.text.push_str(&docs(&of.docs, None, "  "));
                    if of.fields.is_empty() {
                        let _ = write!(self.text, "  get {shown}(): boolean;\n  set {shown}(value: true);\n");
                        let _ = writeln!(init, "    {shown}?: true;");
                        continue;
                    }
                    let mut fields_init = String::new();
                    let fields = self.fields(id, &of.fields, &mut fields_init);
                    let class = inner_class(&shown);
                    let ty = format!("{name}.{class}");
                    let given =
                        format!("{{ {} }}", fields_init.split_whitespace().collect::<Vec<_>>().join(" "));
                    let _ = write!(
                        self.text,
                        "  get {shown}(): {ty} | undefined;\n  set {shown}(value: {ty} | {given});\n"
                    );
                    let _ = writeln!(init, "    {shown}?: {ty} | {given};");
                    let fields: String = fields.lines().map(|line| format!("  {line}\n")).collect();
                    let _ = write!(
                        inner,
                        "  class {class} extends View {{\n    private constructor();\n{fields}  }}\n"
                    );
                }
            }
            _ => {}
        }
        let _ = write!(
            self.text,
            "}}\nexport declare namespace {name} {{\n  interface Init {{\n{init}  }}\n{inner}}}\n"
        );
    }

    fn fields(&self, id: TypeId, fields: &[Field], init: &mut String) -> String {
        let mut text = String::new();
        for field in fields.iter().filter(|field| field.public) {
            if memory(self.api, self.options, &field.ty).is_none()
                || field.bits.as_ref().is_some_and(|bits| bits.width == 0)
            {
                continue;
            }
            let name = member(self.options, &field.name);
            let (get, set) = match &field.bits {
                Some(bits) => {
                    let ty = self.bits(bits, &field.ty);
                    (ty.clone(), ty)
                }
                None => {
                    let loose = self.loose.field(self.api, id, field);
                    (self.field(&field.ty, loose), self.set_in_field(&field.ty, loose))
                }
            };
            text.push_str(&docs(&field.docs, None, "  "));
            if get == set {
                let _ = writeln!(text, "  {name}: {get};");
            } else {
                let _ = write!(text, "  get {name}(): {get};\n  set {name}(value: {set});\n");
            }
            let _ = writeln!(init, "    {name}?: {set};");
        }
        text
    }

    /// A function's docs, with what it throws.
    fn about(&self, function: &Function, indent: &str) -> String {
        let mut text = function.docs.trim().to_owned();
        if let Some(class) = self.api.fails_with(function, &[]) {
            let gap = if text.is_empty() { "" } else { "\n" };
            let _ = write!(text, "{gap}@throws {{@link {}}} when it fails", global(&class));
        }
        docs(&text, function.deprecated.as_deref(), indent)
    }

    /// The type of what a function gives away.
    fn given(&self, Given { id, nullable }: Given) -> String {
        format!("{}{}", global(&self.api.get(id).name), if nullable { " | null" } else { "" })
    }

    /// The type of a bitfield, which has the storage unit's width.
    fn bits(&self, bits: &Bits, unit: &Ty) -> String {
        match (Kind::plain(self.api, &bits.of), Kind::plain(self.api, unit)) {
            (Kind::Bool, _) => "boolean".into(),
            (_, Kind::Int(unit)) if is_bigint(unit) => "bigint".into(),
            (Kind::Int(Number { named: Some(id), .. }), _) => global(&self.api.get(id).name),
            _ => "number".into(),
        }
    }

    fn handle(&mut self, handle: &Handle<'_>) {
        let declared = self.api.get(handle.id);
        let name = global(&declared.name);
        self.text.push('\n');
        self.text.push_str(&docs(&declared.docs, declared.deprecated.as_deref(), ""));
        let _ = writeln!(self.text, "export declare class {name} {{\n  private readonly own: never;");
        match handle.constructors.first() {
            Some(constructor) => {
                let (params, _) = self.signature(constructor, 0);
                let about = self.about(constructor, "  ");
                self.text.push_str(&about);
                let _ = writeln!(self.text, "  constructor({params});");
            }
            None => self.text.push_str("  private constructor();\n"),
        }
        let _ = writeln!(
            self.text,
            "  /** Takes over what lies at an address. */\n  static from(address: Pointer<{name}>): {name};"
        );
        let others = handle.constructors.iter().skip(1).chain(&handle.others);
        for function in others {
            let role = function.role();
            let (params, mut ret) = self.signature(function, usize::from(role == Some(Role::Method)));
            if role == Some(Role::Constructor) {
                ret.clone_from(&name);
            } else if let Some(given) = self.handles.given(function) {
                ret = self.given(given);
            }
            let fixed = if role == Some(Role::Method) { "" } else { "static " };
            let shown =
                method(self.options, function.member.as_ref().map_or(&function.name, |member| &member.name));
            let about = self.about(function, "  ");
            self.text.push_str(&about);
            let _ = writeln!(self.text, "  {fixed}{shown}({params}): {ret};");
        }
        if handle.release.is_some() {
            self.text.push_str(
                "  /** Gives it back; a second time does nothing. Any other use after this is an error. */\n  \
                 release(): void;\n  [Symbol.dispose](): void;\n",
            );
        }
        self.text.push_str("  get released(): boolean;\n}\n");
    }
}
