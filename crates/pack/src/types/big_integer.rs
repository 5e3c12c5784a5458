use crate::prelude::*;
use crate::{Error, Form, Pack, Reader, Unpack, Writer};
use core::fmt;

/// A whole number of any size, C#'s `System.Numerics.BigInteger`: it holds the digits but does no arithmetic.
///
/// It holds the two's complement in little-endian bytes, as few as possible (0 is one byte), so that equal
/// numbers have equal bytes. The feature `num-bigint` converts from and to `num_bigint::BigInt`.
///
/// ```
/// use upcall_pack::BigInteger;
///
/// assert_eq!(BigInteger::from(258).bytes_le(), [2, 1]);
/// assert_eq!(BigInteger::from_bytes_le(&[255, 255]), BigInteger::from(-1));
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct BigInteger(Vec<u8>);

impl BigInteger {
    /// From two's complement in little-endian bytes. They need not be the fewest; no bytes at all are 0.
    #[must_use]
    pub fn from_bytes_le(bytes: &[u8]) -> BigInteger {
        let mut bytes = bytes.to_vec();
        shorten(&mut bytes);
        BigInteger(bytes)
    }

    /// Its two's complement in little-endian bytes, as few as possible, at least one.
    #[must_use]
    pub fn bytes_le(&self) -> &[u8] {
        &self.0
    }

    /// Whether it is below zero.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        self.0.last().is_some_and(|&byte| byte >= 0x80)
    }

    /// The same number, where 128 bits hold it.
    #[must_use]
    pub fn to_i128(&self) -> Option<i128> {
        let mut wide = [if self.is_negative() { 0xff } else { 0 }; 16];
        wide.get_mut(..self.0.len())?.copy_from_slice(&self.0);
        Some(i128::from_le_bytes(wide))
    }
}

/// Leaves as few bytes as possible.
fn shorten(bytes: &mut Vec<u8>) {
    while let [.., before, last] = bytes[..] {
        let sign = if before >= 0x80 { 0xff } else { 0 };
        if last != sign {
            break;
        }
        bytes.pop();
    }
    if bytes.is_empty() {
        bytes.push(0);
    }
}

impl Default for BigInteger {
    /// 0.
    fn default() -> BigInteger {
        BigInteger(vec![0])
    }
}

impl fmt::Debug for BigInteger {
    /// The number where 128 bits hold it, else its bytes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_i128() {
            Some(value) => write!(f, "BigInteger({value})"),
            None => write!(f, "BigInteger({:02x?})", self.0),
        }
    }
}

impl From<i128> for BigInteger {
    fn from(value: i128) -> BigInteger {
        BigInteger::from_bytes_le(&value.to_le_bytes())
    }
}

#[cfg(feature = "num-bigint")]
impl From<&num_bigint::BigInt> for BigInteger {
    fn from(value: &num_bigint::BigInt) -> BigInteger {
        BigInteger::from_bytes_le(&value.to_signed_bytes_le())
    }
}

#[cfg(feature = "num-bigint")]
impl From<&BigInteger> for num_bigint::BigInt {
    fn from(value: &BigInteger) -> num_bigint::BigInt {
        num_bigint::BigInt::from_signed_bytes_le(&value.0)
    }
}

impl Pack for BigInteger {
    /// A struct in C#, with a reference inside.
    const FORM: Form<Self> = Form::Struct;
    const MIN: usize = 4;

    fn describe(to: &mut crate::Describe) {
        to.plain("integer");
    }

    fn pack(&self, writer: &mut Writer<'_>) -> Result<(), Error> {
        writer.count(self.0.len())?;
        writer.bytes(&self.0)
    }
}

impl<'a> Unpack<'a> for BigInteger {
    /// Accepts more bytes than necessary, and none at all for 0.
    fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let mut bytes = Vec::<u8>::unpack(reader)?;
        shorten(&mut bytes);
        Ok(BigInteger(bytes))
    }

    fn overwrite(&mut self, reader: &mut Reader<'a>) -> Result<(), Error> {
        let read = self.0.overwrite(reader);
        shorten(&mut self.0);
        read
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_as_few_bytes_as_there_can_be() {
        for (value, bytes) in [
            (0, &[0][..]),
            (-1, &[0xff]),
            (127, &[0x7f]),
            (128, &[0x80, 0]),
            (-128, &[0x80]),
            (-129, &[0x7f, 0xff]),
            (258, &[2, 1]),
            (-32_768, &[0, 0x80]),
        ] {
            let number = BigInteger::from(value);
            assert_eq!(number.bytes_le(), bytes, "{value}");
            assert_eq!(number.to_i128(), Some(value));
            let mut longer = bytes.to_vec();
            longer.extend([if value < 0 { 0xff } else { 0 }; 300]);
            assert_eq!(BigInteger::from_bytes_le(&longer), number);
        }
        assert_eq!(BigInteger::from_bytes_le(&[]), BigInteger::default());
        for value in [i128::MIN, i128::MAX] {
            assert_eq!(BigInteger::from(value).to_i128(), Some(value));
        }
        assert_eq!(BigInteger::from_bytes_le(&[1; 17]).to_i128(), None);
    }

    #[cfg(feature = "num-bigint")]
    #[test]
    fn num_bigint_holds_the_same_numbers() {
        for value in [0, -1, 128, 258, -32_769, i128::MIN] {
            let number = BigInteger::from(value);
            assert_eq!(num_bigint::BigInt::from(&number), num_bigint::BigInt::from(value));
            assert_eq!(BigInteger::from(&num_bigint::BigInt::from(value)), number);
        }
    }
}
