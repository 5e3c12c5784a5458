use super::{Type, clang, text};
use crate::model::Place;
use clang_sys as raw;
use std::ffi::CStr;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::path::PathBuf;
use std::ptr;

/// A declaration, a macro's definition, or an attribute.
#[derive(Clone, Copy)]
pub struct Cursor<'unit> {
    raw: raw::CXCursor,
    unit: PhantomData<&'unit ()>,
}

/// The value of a constant expression.
#[derive(Debug)]
pub enum Evaluated {
    Int(i128),
    Float(f64),
    Text(Vec<u8>),
}

impl<'unit> Cursor<'unit> {
    pub(super) fn new(raw: raw::CXCursor) -> Cursor<'unit> {
        Cursor { raw, unit: PhantomData }
    }

    pub fn kind(self) -> raw::CXCursorKind {
        clang!(clang_getCursorKind(self.raw))
    }

    /// Its name. Since clang 16 an anonymous one is named after its location; that counts as no name.
    pub fn name(self) -> Option<String> {
        let name = text(clang!(clang_getCursorSpelling(self.raw)));
        (!name.is_empty() && !name.contains(['(', ' '])).then_some(name)
    }

    /// The symbol as the assembler sees it.
    pub fn mangled(self) -> String {
        text(clang!(clang_Cursor_getMangling(self.raw)))
    }

    pub fn children(self) -> Vec<Cursor<'unit>> {
        extern "C" fn visit(
            child: raw::CXCursor,
            _: raw::CXCursor,
            list: raw::CXClientData,
        ) -> raw::CXChildVisitResult {
            // SAFETY: `list` is the vector below, which outlives the visit.
            unsafe { &mut *list.cast::<Vec<raw::CXCursor>>() }.push(child);
            raw::CXChildVisit_Continue
        }
        let mut list: Vec<raw::CXCursor> = Vec::new();
        clang!(clang_visitChildren(self.raw, visit, (&raw mut list).cast()));
        list.into_iter().map(Cursor::new).collect()
    }

    pub fn has_child(self, kind: raw::CXCursorKind) -> bool {
        self.children().iter().any(|child| child.kind() == kind)
    }

    pub fn ty(self) -> Type<'unit> {
        Type::new(clang!(clang_getCursorType(self.raw)))
    }

    /// What a `typedef` names.
    pub fn underlying(self) -> Type<'unit> {
        Type::new(clang!(clang_getTypedefDeclUnderlyingType(self.raw)))
    }

    /// Where its body is, if it has one.
    pub fn definition(self) -> Option<Cursor<'unit>> {
        let raw = clang!(clang_getCursorDefinition(self.raw));
        (clang!(clang_Cursor_isNull(raw)) == 0).then(|| Cursor::new(raw))
    }

    /// The first of all declarations of the same thing.
    pub fn canonical(self) -> Cursor<'unit> {
        Cursor::new(clang!(clang_getCanonicalCursor(self.raw)))
    }

    pub fn place(self) -> Place {
        place(clang!(clang_getCursorLocation(self.raw))).unwrap_or_default()
    }

    pub(super) fn extent(self) -> raw::CXSourceRange {
        clang!(clang_getCursorExtent(self.raw))
    }

    pub fn in_system_header(self) -> bool {
        let location = clang!(clang_getCursorLocation(self.raw));
        clang!(clang_Location_isInSystemHeader(location)) != 0
    }

    pub fn in_main_file(self) -> bool {
        let location = clang!(clang_getCursorLocation(self.raw));
        clang!(clang_Location_isFromMainFile(location)) != 0
    }

    /// The comment that belongs to it, with its comment signs.
    pub fn comment(self) -> String {
        text(clang!(clang_Cursor_getRawCommentText(self.raw)))
    }

    /// What `__attribute__((deprecated("…")))` says.
    pub fn deprecated(self) -> Option<String> {
        let (mut deprecated, mut unavailable) = (0, 0);
        let mut messages = [raw::CXString::default(), raw::CXString::default()];
        let [message, other] = &mut messages;
        clang!(clang_getCursorPlatformAvailability(
            self.raw,
            &mut deprecated,
            message,
            &mut unavailable,
            other,
            ptr::null_mut(),
            0,
        ));
        let [message, _] = messages.map(text);
        (deprecated != 0).then_some(message)
    }

    /// An unnamed struct or union whose members belong to its parent.
    pub fn is_anonymous_record(self) -> bool {
        clang!(clang_Cursor_isAnonymousRecordDecl(self.raw)) != 0
    }

    /// Bits of a bitfield.
    pub fn bit_width(self) -> Option<u32> {
        (clang!(clang_Cursor_isBitField(self.raw)) != 0)
            .then(|| clang!(clang_getFieldDeclBitWidth(self.raw)) as u32)
    }

    /// Bits from the start of the record that directly holds this field.
    pub fn field_offset(self) -> Option<u64> {
        u64::try_from(clang!(clang_Cursor_getOffsetOfField(self.raw))).ok()
    }

    /// The integer that holds an enum.
    pub fn enum_type(self) -> Type<'unit> {
        Type::new(clang!(clang_getEnumDeclIntegerType(self.raw)))
    }

    /// An enumerator's value.
    pub fn enumerator(self, signed: bool) -> i128 {
        if signed {
            clang!(clang_getEnumConstantDeclValue(self.raw)).into()
        } else {
            clang!(clang_getEnumConstantDeclUnsignedValue(self.raw)).into()
        }
    }

    /// Whether it is visible in this file only.
    pub fn is_internal(self) -> bool {
        clang!(clang_getCursorLinkage(self.raw)) == raw::CXLinkage_Internal
    }

    /// Whether each thread has its own copy.
    pub fn is_thread_local(self) -> bool {
        clang!(clang_getCursorTLSKind(self.raw)) != raw::CXTLS_None
    }

    /// Whether it is `inline`.
    pub fn is_inline(self) -> bool {
        clang!(clang_Cursor_isFunctionInlined(self.raw)) != 0
    }

    /// Whether it is a macro that no file defines, or one that takes arguments.
    pub fn is_macro_without_value(self) -> bool {
        clang!(clang_Cursor_isMacroBuiltin(self.raw)) != 0
            || clang!(clang_Cursor_isMacroFunctionLike(self.raw)) != 0
    }

    /// The value that a variable is initialised with, if clang can compute it.
    pub fn evaluate(self) -> Option<Evaluated> {
        let result = clang!(clang_Cursor_Evaluate(self.raw));
        if result.is_null() {
            return None;
        }
        let value = match clang!(clang_EvalResult_getKind(result)) {
            raw::CXEval_Int if clang!(clang_EvalResult_isUnsignedInt(result)) != 0 => {
                Some(Evaluated::Int(clang!(clang_EvalResult_getAsUnsigned(result)).into()))
            }
            raw::CXEval_Int => Some(Evaluated::Int(clang!(clang_EvalResult_getAsLongLong(result)).into())),
            raw::CXEval_Float => Some(Evaluated::Float(clang!(clang_EvalResult_getAsDouble(result)))),
            raw::CXEval_StrLiteral => {
                let pointer = clang!(clang_EvalResult_getAsStr(result));
                // SAFETY: a string result is zero-terminated text that lives as long as the result.
                (!pointer.is_null())
                    .then(|| Evaluated::Text(unsafe { CStr::from_ptr(pointer) }.to_bytes().to_owned()))
            }
            _ => None,
        };
        clang!(clang_EvalResult_dispose(result));
        value
    }
}

impl PartialEq for Cursor<'_> {
    fn eq(&self, other: &Self) -> bool {
        clang!(clang_equalCursors(self.raw, other.raw)) != 0
    }
}

impl Eq for Cursor<'_> {}

impl Hash for Cursor<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        clang!(clang_hashCursor(self.raw)).hash(state);
    }
}

impl fmt::Debug for Cursor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?} at {:?}", self.kind(), self.name(), self.place())
    }
}

pub(super) fn place(location: raw::CXSourceLocation) -> Option<Place> {
    let (mut file, mut line, mut column) = (ptr::null_mut(), 0, 0);
    clang!(clang_getExpansionLocation(location, &mut file, &mut line, &mut column, ptr::null_mut()));
    if file.is_null() {
        return None;
    }
    let name = text(clang!(clang_getFileName(file)));
    let name = name.strip_prefix("./").map(str::to_owned).unwrap_or(name);
    Some(Place { file: PathBuf::from(name), line: line as usize, column: column as usize })
}
