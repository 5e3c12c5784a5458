use super::print::Print;
use upcall_abi::Shape;

/// A function as its callers see it.
pub struct Signature {
    /// Its symbol.
    pub symbol: &'static str,
    /// What it takes and gives, piece by piece.
    pub parts: &'static [Part],
}

/// A piece of a signature.
pub enum Part {
    /// As the source writes it, without spaces.
    Text(&'static str),
    /// A type, and how the source writes it, which counts where nothing is known of it but its size.
    Type(&'static str, &'static Shape),
    /// The type of its errors. Only numbers of errors reach a caller.
    Error(&'static Shape),
}

/// So many types have fingerprints of their own. What further ones are goes into that of the signature.
const MOST: usize = 32;

const DIGITS: usize = 16;

/// What a line says.
struct Content {
    print: Print,
    types: [Option<&'static Shape>; MOST],
    count: usize,
}

impl Signature {
    /// The line's length.
    #[must_use]
    pub const fn len(&self) -> usize {
        let content = self.content();
        let mut len = self.symbol.len() + 1 + DIGITS + 1;
        let mut at = 0;
        while at < content.count {
            if let Some(shape) = content.types[at] {
                len += 1 + shape.name.len() + 1 + DIGITS;
            }
            at += 1;
        }
        len
    }

    /// Never: there is a symbol.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        false
    }

    /// The line, of [`Signature::len`] bytes.
    #[must_use]
    pub const fn line<const N: usize>(&self) -> [u8; N] {
        let content = self.content();
        let mut line = Line { bytes: [0; N], len: 0 };
        line.text(self.symbol);
        line.text("\t");
        line.digits(content.print.finish());
        let mut at = 0;
        while at < content.count {
            if let Some(shape) = content.types[at] {
                line.text("\t");
                line.text(shape.name);
                line.text(" ");
                line.digits(Print::of(shape));
            }
            at += 1;
        }
        line.text("\n");
        line.bytes
    }

    const fn content(&self) -> Content {
        let mut content = Content { print: Print::new(), types: [None; MOST], count: 0 };
        let mut at = 0;
        while at < self.parts.len() {
            match self.parts[at] {
                Part::Text(text) => content.print = content.print.text(text),
                Part::Type(text, shape) => {
                    if shape.name.is_empty() {
                        content.print = content.print.text(text);
                    }
                    content.print = content.print.mention(shape);
                    content.declare(shape);
                }
                Part::Error(shape) => {
                    if shape.declared {
                        content.print = content.print.mention(shape);
                        content.declare(shape);
                    }
                }
            }
            at += 1;
        }
        content
    }
}

impl Content {
    /// Adds a type and those that it holds, each once.
    const fn declare(&mut self, shape: &'static Shape) {
        if shape.declared {
            let mut at = 0;
            while at < self.count {
                if let Some(known) = self.types[at]
                    && is_same(known, shape)
                {
                    return;
                }
                at += 1;
            }
            if self.count < MOST {
                self.types[self.count] = Some(shape);
                self.count += 1;
            } else {
                self.print = self.print.number(Print::of(shape) as i128);
            }
        }
        let mut at = 0;
        while at < shape.members.len() {
            if let Some(of) = shape.members[at].of {
                self.declare(of);
            }
            at += 1;
        }
    }
}

const fn is_same(one: &Shape, other: &Shape) -> bool {
    one.name.len() == other.name.len() && Print::of(one) == Print::of(other)
}

struct Line<const N: usize> {
    bytes: [u8; N],
    len: usize,
}

impl<const N: usize> Line<N> {
    const fn text(&mut self, text: &str) {
        let (bytes, mut at) = (text.as_bytes(), 0);
        while at < bytes.len() {
            self.bytes[self.len] = bytes[at];
            self.len += 1;
            at += 1;
        }
    }

    const fn digits(&mut self, number: u64) {
        let mut shift = u64::BITS;
        while shift > 0 {
            shift -= 4;
            self.bytes[self.len] = b"0123456789abcdef"[(number >> shift & 15) as usize];
            self.len += 1;
        }
    }
}
