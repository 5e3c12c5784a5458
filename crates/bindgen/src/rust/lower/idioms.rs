//! The structs of `upcall-abi`, known without their source.

use super::{Context, Key, Lower, Lowered, State};
use crate::model::{Body, Declared, Field, Idiom, Int, Param, Place, Pointer, Record, Signature, Ty, TypeId};
use crate::probe::Subject;
use syn::Type;
use syn::spanned::Spanned;

impl Lower<'_> {
    /// `Slice<T>` and its like.
    pub(super) fn idiom(
        &mut self,
        context: &Context,
        name: &'static str,
        arguments: &[Type],
        whole: &Type,
    ) -> Lowered<Ty> {
        let generic = !matches!(name, "Str" | "Text" | "Failure");
        let mut elements = Vec::new();
        if generic {
            let Some(element) = arguments.first() else {
                let place = context.place(whole.span());
                return Err(self.refuse(&place, format!("`{name}` lacks its element type"), "write it out"));
            };
            elements.push(self.value(context, element)?);
        }
        let key = Key::Idiom(name, elements.clone());
        if let Some(id) = self.known(&key) {
            return Ok(Ty::Named(id));
        }
        let place = context.place(whole.span());
        let (home, text) = self.spelling(context, whole);
        let subject = Subject { spot: self.spot(home), text, generic: None };
        let id = self.idiom_type(name, elements.first().cloned(), subject, &place);
        self.known.insert(key, id);
        Ok(Ty::Named(id))
    }

    fn idiom_type(&mut self, name: &str, of: Option<Ty>, subject: Subject, place: &Place) -> TypeId {
        let mut whole = name.to_owned();
        let mut source = format!("upcall_abi::{name}");
        if let Some(of) = &of {
            whole = format!("{name}_{}", self.part_of_name(of));
            source = format!("{source}<{}>", self.source_of(of));
        }
        let element = of.clone().unwrap_or(Ty::Int(Int::U8));
        let of = || of.clone().unwrap_or(Ty::Unit);
        let size = Ty::Int(Int::Usize);
        let (fields, idiom) = match name {
            "Slice" => {
                let fields = vec![field("data", Ty::pointer(element, false)), field("len", size)];
                (fields, Idiom::Slice { of: of(), mutable: false })
            }
            "SliceMut" => {
                let fields = vec![field("data", Ty::pointer(element, true)), field("len", size)];
                (fields, Idiom::Slice { of: of(), mutable: true })
            }
            "Str" => (vec![field("data", Ty::pointer(element, false)), field("len", size)], Idiom::Str),
            "Rel" => {
                let wide = Ty::Int(Int::U64);
                (vec![field("offset", wide.clone()), field("len", wide)], Idiom::Rel { of: of() })
            }
            "Buffer" => (owned(element), Idiom::Buffer { of: of() }),
            "Text" => (owned(element), Idiom::Text),
            _ => {
                let text = Subject { text: "::upcall_abi::Text".into(), ..subject.clone() };
                let text = self.text_of_failure(&subject, text, place);
                (vec![field("message", text), field("code", Ty::Int(Int::I32))], Idiom::Failure)
            }
        };
        let body = Body::Struct(Record { fields, ..Record::default() });
        let (place, idiom) = (place.clone(), Some(idiom));
        let declared = Declared { name: whole, source, place, body, idiom, ..Declared::default() };
        self.add(declared, Some(subject), State::Done)
    }

    /// The text in a failure, named through the same crate as the failure.
    fn text_of_failure(&mut self, failure: &Subject, text: Subject, place: &Place) -> Ty {
        let key = Key::Idiom("Text", Vec::new());
        if let Some(id) = self.known(&key) {
            return Ty::Named(id);
        }
        let spelled = match failure.text.rfind("Failure") {
            Some(at) if at > 0 => format!("{}Text", &failure.text[..at]),
            _ => text.text.clone(),
        };
        let id = self.idiom_type("Text", None, Subject { text: spelled, ..text }, place);
        self.known.insert(key, id);
        Ty::Named(id)
    }
}

fn field(name: &str, ty: Ty) -> Field {
    Field { name: name.into(), ty, offset: 0, bits: None, docs: String::new(), public: true }
}

fn owned(element: Ty) -> Vec<Field> {
    let data = Ty::Pointer(Pointer { to: Box::new(element), mutable: true, nullable: true, owned: false });
    let size = Ty::Int(Int::Usize);
    let param =
        |name: &str, ty: &Ty| Param { name: name.into(), ty: ty.clone(), context_of: None, release_of: None };
    let signature = Signature {
        params: vec![param("data", &data), param("len", &size), param("capacity", &size)],
        ..Signature::default()
    };
    vec![
        field("data", data),
        field("len", size.clone()),
        field("capacity", size),
        field("release", Ty::Function { signature: Box::new(signature), nullable: true }),
    ]
}
