use crate::members::NULL;
use crate::{Error, Form, Invalid, Layout, Pack, Raw, Reader, Unpack, Writer};
use core::ptr;

/// C#'s `Nullable` of a raw type, and null of the others.
impl<T: Pack> Pack for Option<T> {
    const FORM: Form<Self> = match T::FORM {
        // SAFETY: `write_raw` writes the flag, zeroes up to the value and the value, which is all of it; the
        // layout of a nullable claims nothing about memory.
        Form::Raw(raw) => Form::Raw(unsafe { Raw::new(raw.layout().nullable()) }),
        Form::Nullable => panic!("an `Option` of what can be null already has no form: leave one out"),
        _ => Form::Nullable,
    };
    const MIN: usize = match T::FORM {
        Form::Raw(raw) => raw.layout().nullable().size,
        Form::Counted => 4,
        _ => 1,
    };

    fn describe(to: &mut crate::Describe) {
        to.of("option", &[T::describe]);
    }

    #[inline]
    fn pack(&self, writer: &mut Writer<'_>) -> Result<(), Error> {
        if const { matches!(T::FORM, Form::Raw(_)) } {
            return writer.raw(self);
        }
        match self {
            None => writer.null(const { T::FORM }),
            Some(value) => {
                writer.some(const { T::FORM })?;
                value.pack(writer)
            }
        }
    }

    #[inline(always)]
    unsafe fn write_raw(&self, at: *mut u8) {
        let (value_at, size) = const { value_of::<T>() };
        // SAFETY: the caller gives room for a nullable, whose value ends it.
        unsafe {
            at.write(self.is_some().into());
            match self {
                Some(value) => {
                    ptr::write_bytes(at.add(1), 0, value_at - 1);
                    value.write_raw(at.add(value_at));
                }
                None => ptr::write_bytes(at.add(1), 0, size - 1),
            }
            // Where the value's size is not a multiple of its alignment, the whole is longer than its value.
            ptr::write_bytes(at.add(size), 0, const { Self::MIN } - size);
        }
    }
}

impl<'a, T: Unpack<'a>> Unpack<'a> for Option<T> {
    #[inline]
    fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error> {
        if const { matches!(T::FORM, Form::Raw(_)) } {
            return reader.raw();
        }
        if null_of::<T>(reader)? { Ok(None) } else { T::unpack(reader).map(Some) }
    }

    #[inline]
    fn overwrite(&mut self, reader: &mut Reader<'a>) -> Result<(), Error> {
        if let (Some(value), false) = (&mut *self, const { matches!(T::FORM, Form::Raw(_)) }) {
            if null_of::<T>(reader)? {
                *self = None;
                return Ok(());
            }
            return value.overwrite(reader);
        }
        *self = Self::unpack(reader)?;
        Ok(())
    }

    #[inline(always)]
    unsafe fn read_raw(at: *const u8) -> Result<Self, Invalid> {
        let (value_at, _) = const { value_of::<T>() };
        // SAFETY: the caller gives the bytes of a nullable.
        unsafe {
            match at.read() {
                0 => Ok(None),
                1 => match T::read_raw(at.add(value_at)) {
                    Ok(value) => Ok(Some(value)),
                    Err(invalid) => Err(invalid.within(value_at)),
                },
                other => Err(Invalid::new(other.into(), "the flag of a nullable value is 0 or 1")),
            }
        }
    }
}

impl Writer<'_> {
    /// Writes null in place of a value of a managed type.
    #[inline(always)]
    pub(crate) fn null<T>(&mut self, form: Form<T>) -> Result<(), Error> {
        match form {
            Form::Counted => self.i32(-1),
            _ => self.u8(NULL),
        }
    }

    /// Writes what stands before a value that could be null.
    #[inline(always)]
    pub(crate) fn some<T>(&mut self, form: Form<T>) -> Result<(), Error> {
        match form {
            Form::Struct => self.u8(1),
            _ => Ok(()),
        }
    }
}

#[inline]
fn null_of<'a, T: Unpack<'a>>(reader: &mut Reader<'a>) -> Result<bool, Error> {
    is_null(reader, const { T::FORM })
}

/// Consumes a null, or the byte that says that a struct follows.
#[inline(always)]
pub(crate) fn is_null<T>(reader: &mut Reader<'_>, form: Form<T>) -> Result<bool, Error> {
    match form {
        Form::Counted => {
            let null = reader.peek_i32()? == -1;
            if null {
                reader.i32()?;
            }
            Ok(null)
        }
        Form::Struct => match reader.u8()? {
            NULL => Ok(true),
            1 => Ok(false),
            other => {
                let rule = "a struct is preceded by 1, and null is 255";
                Err(reader.invalid(1, Invalid::new(other.into(), rule)))
            }
        },
        _ => {
            let null = reader.peek_u8()? == NULL;
            if null {
                reader.u8()?;
            }
            Ok(null)
        }
    }
}

/// Where the value of a nullable lies, and where it ends.
const fn value_of<T: Pack>() -> (usize, usize) {
    match T::FORM.layout() {
        Some(layout) => {
            let (_, offsets) = Layout::sequential([Layout::primitive(1), layout], usize::MAX);
            (offsets[1], offsets[1] + layout.size)
        }
        None => (1, 1),
    }
}
