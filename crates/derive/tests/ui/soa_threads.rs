use std::cell::Cell;
use std::rc::Rc;
use upcall_derive::Soa;

#[derive(Soa)]
#[soa(crate = upcall_soa)]
struct Shared {
    count: Rc<u8>,
}

#[derive(Soa)]
#[soa(crate = upcall_soa)]
struct Local {
    count: Cell<u8>,
}

fn send(_: impl Send) {}

fn main() {
    send(SharedSoaVec::new());
    send(LocalSoaVec::new());
    send(LocalSoaVec::new().as_slice());
}
