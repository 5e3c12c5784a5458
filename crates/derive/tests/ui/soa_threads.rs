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

// By its author's word, which goes for what its methods do, not for its fields one by one.
unsafe impl Sync for Local {}

#[derive(Soa)]
#[soa(crate = upcall_soa)]
struct Outer {
    #[soa(flatten)]
    local: Local,
}

#[derive(Soa)]
#[soa(crate = upcall_soa)]
enum Either {
    Neither,
    Counted { count: Cell<u8> },
}

unsafe impl Sync for Either {}

fn send(_: impl Send) {}

fn share(_: &impl Sync) {}

fn main() {
    send(SharedSoaVec::new());
    send(LocalSoaVec::new());
    send(LocalSoaVec::new().as_slice());
    send(OuterSoaVec::new().as_slice());
    send(OuterSoaVec::new().iter());
    share(&OuterSoaVec::new());
    share(&EitherSoaVec::new());
}
