use upcall::Blit;

#[derive(Clone, Copy, Blit)]
#[repr(u8)]
enum Color {
    Red = 1,
    Green = 2,
}

fn main() {}
