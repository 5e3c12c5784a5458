use crate::{Error, Form, Invalid, Layout, Pack, Raw, Reader, Unpack, Writer};
use core::mem::offset_of;
use core::ptr;

/// A pair, C#'s `KeyValuePair<K, V>`: unmanaged where both are, in declared order; else the two one after the other.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyValue<K, V> {
    /// The key.
    pub key: K,
    /// The value.
    pub value: V,
}

/// Where C# puts the two, if both are unmanaged.
const fn layout<K: Pack, V: Pack>() -> Option<(Layout, [usize; 2])> {
    let (Some(key), Some(value)) = (K::FORM.layout(), V::FORM.layout()) else { return None };
    let (whole, offsets) = Layout::sequential([key, value], usize::MAX);
    let here = [offset_of!(KeyValue<K, V>, key), offset_of!(KeyValue<K, V>, value)];
    let whole = whole.compared(size_of::<KeyValue<K, V>>(), here, offsets);
    Some((whole, offsets))
}

/// The same where it is called for raw pairs only.
const fn raw_layout<K: Pack, V: Pack>() -> (Layout, [usize; 2]) {
    match layout::<K, V>() {
        Some(found) => found,
        None => (Layout::primitive(1), [0; 2]),
    }
}

impl<K: Pack, V: Pack> Pack for KeyValue<K, V> {
    const FORM: Form<Self> = match layout::<K, V>() {
        // SAFETY: `write_raw` writes zero and then both parts at their offsets; `same` is claimed only where they lie
        // so in memory, and the rest follows from the parts' own promises.
        Some((layout, _)) => Form::Raw(unsafe { Raw::new(layout) }),
        None => Form::Struct,
    };
    const MIN: usize = match layout::<K, V>() {
        Some((layout, _)) => layout.size,
        None => K::MIN + V::MIN,
    };

    fn describe(to: &mut crate::Describe) {
        to.of("pair", &[K::describe, V::describe]);
    }

    #[inline]
    fn pack(&self, writer: &mut Writer<'_>) -> Result<(), Error> {
        if const { layout::<K, V>().is_some() } {
            return writer.raw(self);
        }
        self.key.pack(writer)?;
        self.value.pack(writer)
    }

    #[inline(always)]
    unsafe fn write_raw(&self, at: *mut u8) {
        let (layout, [key, value]) = const { raw_layout::<K, V>() };
        // SAFETY: the caller gives room for the layout's size, in which the parts lie at these offsets.
        unsafe {
            if !layout.full {
                ptr::write_bytes(at, 0, layout.size);
            }
            self.key.write_raw(at.add(key));
            self.value.write_raw(at.add(value));
        }
    }
}

impl<'a, K: Unpack<'a>, V: Unpack<'a>> Unpack<'a> for KeyValue<K, V> {
    #[inline]
    fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error> {
        if const { layout::<K, V>().is_some() } {
            return reader.raw();
        }
        let key = K::unpack(reader)?;
        Ok(KeyValue { key, value: V::unpack(reader)? })
    }

    #[inline]
    fn overwrite(&mut self, reader: &mut Reader<'a>) -> Result<(), Error> {
        if const { layout::<K, V>().is_some() } {
            *self = reader.raw()?;
            return Ok(());
        }
        self.key.overwrite(reader)?;
        self.value.overwrite(reader)
    }

    #[inline(always)]
    unsafe fn read_raw(at: *const u8) -> Result<Self, Invalid> {
        let (_, [key, value]) = const { raw_layout::<K, V>() };
        // SAFETY: the caller gives bytes of the layout's size, in which the parts lie at these offsets.
        unsafe {
            Ok(KeyValue {
                key: K::read_raw(at.add(key)).map_err(|invalid| invalid.within(key))?,
                value: V::read_raw(at.add(value)).map_err(|invalid| invalid.within(value))?,
            })
        }
    }
}
