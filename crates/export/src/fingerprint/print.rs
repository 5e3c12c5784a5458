//! FNV-1a with 64 bits, as the compiler can compute it.

use upcall_abi::Shape;

#[derive(Clone, Copy)]
pub(super) struct Print(u64);

impl Print {
    pub const fn new() -> Print {
        Print(0xcbf2_9ce4_8422_2325)
    }

    const fn byte(self, byte: u8) -> Print {
        Print((self.0 ^ byte as u64).wrapping_mul(0x0100_0000_01b3))
    }

    /// A text, and its end.
    pub const fn text(mut self, text: &str) -> Print {
        let (bytes, mut at) = (text.as_bytes(), 0);
        while at < bytes.len() {
            self = self.byte(bytes[at]);
            at += 1;
        }
        self.byte(0xff)
    }

    pub const fn number(mut self, number: i128) -> Print {
        let (bytes, mut at) = (number.to_le_bytes(), 0);
        while at < bytes.len() {
            self = self.byte(bytes[at]);
            at += 1;
        }
        self
    }

    /// A type where it is used: one that a user has declared by its name, as its fields change its own fingerprint.
    pub const fn mention(mut self, shape: &Shape) -> Print {
        self = self.text(shape.name);
        if shape.declared { self } else { self.body(shape) }
    }

    const fn body(mut self, shape: &Shape) -> Print {
        self = self.number(shape.size as i128).number(shape.align as i128);
        let mut at = 0;
        while at < shape.members.len() {
            let member = &shape.members[at];
            self = self.text(member.name).number(member.at);
            if let Some(of) = member.of {
                self = self.mention(of);
            }
            at += 1;
        }
        self
    }

    /// A type's own fingerprint.
    pub const fn of(shape: &Shape) -> u64 {
        Print::new().text(shape.name).body(shape).finish()
    }

    pub const fn finish(self) -> u64 {
        self.0
    }
}
