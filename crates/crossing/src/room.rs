//! Where the next thing that crosses goes.

/// There is no room in the guest's memory.
#[derive(Debug)]
pub struct Full;

/// Room for what crosses, in memory that a guest has too: both name things there by offsets.
///
/// # Safety
/// - What [`Room::give`] returns is memory of that many bytes, aligned to 16, that nobody else is given and that stays where
///   it is until [`Room::reset`].
/// - What [`Room::place`] returns is memory of the guest's, of that many bytes, until the guest runs again.
/// - The guest may write all of it while it runs, and nothing else.
pub unsafe trait Room {
    /// Forgets all that was put there.
    fn reset(&mut self);

    /// Room for so many bytes: its offset and its address, a multiple of 16.
    ///
    /// # Errors
    /// There is none.
    fn give(&mut self, bytes: u64) -> Result<(u64, *mut u8), Full>;

    /// Room for so many bytes, and for those that follow them: its offset, its address, and how many there are in all, a
    /// multiple of 16. Who has asked says with [`Room::give_back`] how many it needed before it asks for more.
    ///
    /// # Errors
    /// As [`Room::give`].
    fn give_rest(&mut self, least: u64) -> Result<(u64, *mut u8, u64), Full> {
        let bytes = least.checked_next_multiple_of(16).ok_or(Full)?;
        let (offset, at) = self.give(bytes)?;
        Ok((offset, at, bytes))
    }

    /// What of the last [`Room::give`] or [`Room::give_rest`] lies behind this offset, a multiple of 16, may be given to
    /// somebody else.
    fn give_back(&mut self, from: u64) {
        let _ = from;
    }

    /// The address of bytes that the guest may have written. `None` where they are not all inside.
    fn place(&self, offset: u64, bytes: u64) -> Option<*mut u8>;

    /// The end of what was put there since `reset`.
    fn end(&self) -> u64;

    /// Whether [`Room::reserve`] is to be called before much is put there.
    fn reserves(&self) -> bool {
        false
    }

    /// Sees to it that so many bytes follow each other.
    ///
    /// # Errors
    /// There is no room for them.
    fn reserve(&mut self, bytes: u64) -> Result<(), Full> {
        let _ = bytes;
        Ok(())
    }

    /// A copy of these bytes there: its offset.
    ///
    /// # Errors
    /// There is no room for it, here and below.
    fn put(&mut self, bytes: &[u8]) -> Result<u64, Full> {
        let (offset, at) = self.give(bytes.len() as u64)?;
        // SAFETY: just given, for as many bytes; what is copied is this process's own.
        unsafe { at.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        Ok(offset)
    }

    /// As [`Room::put`], of the value that a pool has in this version, which is no other one as long as the flow runs: one that
    /// is there already need not be copied again.
    ///
    /// # Errors
    /// As [`Room::put`].
    fn put_once(&mut self, bytes: &[u8], (pool, version): (u32, u64)) -> Result<u64, Full> {
        let _ = (pool, version);
        self.put(bytes)
    }

    /// The offset at which the guest sees the bytes at this address of the engine's, where they are lent to it: they need not be put
    /// there. `None` where they are not.
    fn lent(&self, address: u64, bytes: u64) -> Option<u64> {
        let _ = (address, bytes);
        None
    }

    /// A value there: its offset. It has no owner from now on.
    ///
    /// # Errors
    /// As [`Room::put`].
    fn put_one<T>(&mut self, value: T) -> Result<u64, Full> {
        let (offset, at) = self.give(size_of::<T>() as u64)?;
        // SAFETY: just given; 16 is enough alignment for what crosses the boundary.
        unsafe { at.cast::<T>().write(value) };
        Ok(offset)
    }

    /// Copies of these values there: the offset of the first.
    ///
    /// # Errors
    /// As [`Room::put`].
    fn put_all<T: Copy>(&mut self, values: &[T]) -> Result<u64, Full> {
        let (offset, at) = self.give(size_of_val(values) as u64)?;
        // SAFETY: as in `put`; 16 is enough alignment.
        unsafe { at.cast::<T>().copy_from_nonoverlapping(values.as_ptr(), values.len()) };
        Ok(offset)
    }

    /// A copy of these bytes, whoever has written them. `None` where they are not all inside.
    fn copy(&self, offset: u64, bytes: u64) -> Option<Vec<u8>> {
        let at = self.place(offset, bytes)?;
        let mut copy = Vec::with_capacity(bytes as usize);
        // SAFETY: inside the memory, and there is room. A guest in another process may write them meanwhile, which Rust has no
        // word for; what is copied is some bytes, and all that is made of them here is checked afterwards.
        unsafe {
            at.copy_to_nonoverlapping(copy.as_mut_ptr(), bytes as usize);
            copy.set_len(bytes as usize);
        }
        Some(copy)
    }

    /// Reads a value that the guest may have written, once.
    ///
    /// # Safety
    /// Any bytes are a `T`.
    unsafe fn read<T: Copy>(&self, offset: u64) -> Option<T> {
        let at = self.place(offset, size_of::<T>() as u64)?.cast::<T>();
        // SAFETY: inside the memory; the caller's promise.
        at.is_aligned().then(|| unsafe { at.read_volatile() })
    }
}
