use super::{Cursor, clang, text};
use crate::model::Layout;
use clang_sys as raw;
use std::ffi::CString;
use std::marker::PhantomData;

/// A C type.
#[derive(Clone, Copy)]
pub struct Type<'unit> {
    raw: raw::CXType,
    unit: PhantomData<&'unit ()>,
}

impl<'unit> Type<'unit> {
    pub(super) fn new(raw: raw::CXType) -> Type<'unit> {
        Type { raw, unit: PhantomData }
    }

    pub fn kind(self) -> raw::CXTypeKind {
        self.raw.kind
    }

    /// As C writes it.
    pub fn spelling(self) -> String {
        text(clang!(clang_getTypeSpelling(self.raw)))
    }

    /// Without any `typedef`.
    pub fn canonical(self) -> Type<'unit> {
        Type::new(clang!(clang_getCanonicalType(self.raw)))
    }

    /// The struct, union, enum or `typedef` that it names.
    pub fn declaration(self) -> Cursor<'unit> {
        Cursor::new(clang!(clang_getTypeDeclaration(self.raw)))
    }

    /// What is behind `struct` in `struct point`.
    pub fn named(self) -> Type<'unit> {
        Type::new(clang!(clang_Type_getNamedType(self.raw)))
    }

    /// Without attributes.
    pub fn modified(self) -> Type<'unit> {
        Type::new(clang!(clang_Type_getModifiedType(self.raw)))
    }

    /// What `_Atomic` holds.
    pub fn atomic_value(self) -> Type<'unit> {
        Type::new(clang!(clang_Type_getValueType(self.raw)))
    }

    pub fn pointee(self) -> Type<'unit> {
        Type::new(clang!(clang_getPointeeType(self.raw)))
    }

    pub fn element(self) -> Type<'unit> {
        Type::new(clang!(clang_getArrayElementType(self.raw)))
    }

    /// The number of elements of an array; `None` if it is not given.
    pub fn len(self) -> Option<u64> {
        u64::try_from(clang!(clang_getArraySize(self.raw))).ok()
    }

    pub fn result(self) -> Type<'unit> {
        Type::new(clang!(clang_getResultType(self.raw)))
    }

    pub fn arguments(self) -> Vec<Type<'unit>> {
        let count = clang!(clang_getNumArgTypes(self.raw)).max(0) as u32;
        (0..count).map(|index| Type::new(clang!(clang_getArgType(self.raw, index)))).collect()
    }

    pub fn is_variadic(self) -> bool {
        self.canonical().kind() == raw::CXType_FunctionProto
            && clang!(clang_isFunctionTypeVariadic(self.raw)) != 0
    }

    /// Whether it is a function with another calling convention than C's default (`stdcall` and others).
    pub fn has_own_convention(self) -> bool {
        let convention = clang!(clang_getFunctionTypeCallingConv(self.raw));
        ![raw::CXCallingConv_C, raw::CXCallingConv_Default, raw::CXCallingConv_Invalid].contains(&convention)
    }

    pub fn is_const(self) -> bool {
        let local = |ty: Type<'_>| clang!(clang_isConstQualifiedType(ty.raw)) != 0;
        let canonical = self.canonical();
        local(canonical)
            || canonical.element().kind() != raw::CXType_Invalid && canonical.element().is_const()
    }

    /// Bits from the start of this record to a field, including fields of unnamed records within it.
    pub fn offset_of(self, field: &str) -> Option<u64> {
        let field = CString::new(field).ok()?;
        u64::try_from(clang!(clang_Type_getOffsetOf(self.raw, field.as_ptr()))).ok()
    }

    /// As the compiler lays it out for the target. `None` if it is incomplete or has no size.
    pub fn layout(self) -> Option<Layout> {
        let size = u64::try_from(clang!(clang_Type_getSizeOf(self.raw))).ok()?;
        let align = u64::try_from(clang!(clang_Type_getAlignOf(self.raw))).ok()?;
        Some(Layout { size, align })
    }
}
