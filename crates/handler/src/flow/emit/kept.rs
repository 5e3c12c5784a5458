//! What an item has read that is answered later: the engine's views end sooner than the item.

use std::cell::RefCell;
use std::rc::Rc;
use upcall_abi::Rel;

/// Copies of what was read, until the item is answered.
#[derive(Default)]
pub(crate) struct Kept {
    bytes: RefCell<Vec<Rc<[u8]>>>,
    lists: RefCell<Vec<Rc<[Rel<u8>]>>>,
}

impl Kept {
    /// The same bytes, for as long as this is there.
    pub(super) fn bytes(&self, bytes: &[u8]) -> &[u8] {
        let copy: Rc<[u8]> = bytes.into();
        let place = Rc::as_ptr(&copy);
        self.bytes.borrow_mut().push(copy);
        // SAFETY: it stays where it is, and nothing is taken out before this is dropped.
        unsafe { &*place }
    }

    /// The same list, with its bytes, relative to 0.
    pub(super) fn list<'a>(&self, list: impl Iterator<Item = &'a [u8]>) -> &[Rel<u8>] {
        let copy: Rc<[Rel<u8>]> = list.map(|bytes| Rel::of(self.bytes(bytes))).collect();
        let place = Rc::as_ptr(&copy);
        self.lists.borrow_mut().push(copy);
        // SAFETY: as above.
        unsafe { &*place }
    }
}
