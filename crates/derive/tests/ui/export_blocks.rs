//! What block, and what in a block, cannot be exported.
#![allow(unused)]

struct Counter(u64);
struct Of<T>(T);

#[upcall::export]
impl Counter {
    pub fn consume(self) -> u64 {
        self.0
    }

    pub fn shared(self: std::sync::Arc<Self>) {}

    pub fn generic<T>(&self, value: T) {}

    #[upcall::export(extend)]
    pub fn get(&self) -> u64 {
        self.0
    }

    #[upcall::export(marked)]
    pub fn seldom(&self) {}
}

#[upcall::export(extend, marked)]
impl Counter {
    pub fn more(&self) {}
}

struct Often(u64);

#[upcall::export(marked)]
impl Often {
    pub fn set(&mut self, value: u64) {
        self.0 = value;
    }
}

#[upcall::export]
impl Default for Counter {
    fn default() -> Self {
        Counter(0)
    }
}

#[upcall::export]
impl<T> Of<T> {
    pub fn get(&self) {}
}

#[upcall::export]
impl Of<u8> {
    pub fn number(&self) -> u8 {
        self.0
    }
}

fn main() {}
