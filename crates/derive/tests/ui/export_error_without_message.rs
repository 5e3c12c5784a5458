struct Bare;

#[upcall::export]
fn fails() -> Result<u8, Bare> {
    Err(Bare)
}

fn main() {}
