//! Members with a formatter of the user's own.

use std::net::Ipv4Addr;
use upcall_pack::with::{PackWith, UnpackWith};
use upcall_pack::{Error, ErrorKind, Pack, Reader, Writer, from_slice, overwrite, packed_len, to_vec};

/// An address as its length and its bytes; the local one has none.
enum Octets {}

impl PackWith<Ipv4Addr> for Octets {
    fn pack(value: &Ipv4Addr, writer: &mut Writer<'_>) -> Result<(), Error> {
        match *value {
            Ipv4Addr::LOCALHOST => writer.u8(0),
            Ipv4Addr::BROADCAST => Err(writer.error(ErrorKind::Unsupported, "all hosts are no host")),
            other => {
                writer.u8(4)?;
                writer.bytes(&other.octets())
            }
        }
    }
}

impl UnpackWith<'_, Ipv4Addr> for Octets {
    fn unpack(reader: &mut Reader<'_>) -> Result<Ipv4Addr, Error> {
        match reader.peek_u8()? {
            0 => reader.skip(1).map(|()| Ipv4Addr::LOCALHOST),
            4 => {
                reader.skip(1)?;
                Ok(Ipv4Addr::from(reader.raw::<[u8; 4]>()?))
            }
            other => Err(reader.error(ErrorKind::LengthInvalid, format!("an address of {other} bytes"))),
        }
    }
}

/// Borrowed ASCII behind its length in one byte.
enum Short {}

impl PackWith<&str> for Short {
    fn pack(value: &&str, writer: &mut Writer<'_>) -> Result<(), Error> {
        writer.u8(value.len() as u8)?;
        writer.bytes(value.as_bytes())
    }
}

// The text may be asked for as less long-lived than the bytes are.
impl<'a: 'b, 'b> UnpackWith<'a, &'b str> for Short {
    fn unpack(reader: &mut Reader<'a>) -> Result<&'b str, Error> {
        let length = reader.u8()?;
        let bytes = reader.bytes(length.into())?;
        str::from_utf8(bytes).map_err(|_| reader.error(ErrorKind::TextInvalid, "a name that is not UTF-8"))
    }
}

#[derive(Clone, Debug, PartialEq, Pack)]
#[pack(crate = upcall_pack)]
struct Host<'a> {
    port: u16,
    #[pack(with = Octets)]
    address: Ipv4Addr,
    #[pack(with = Short)]
    name: &'a str,
}

#[derive(Clone, Debug, PartialEq, Pack)]
#[pack(version_tolerant, crate = upcall_pack)]
struct Tolerant {
    #[pack(with = Octets, order = 2)]
    address: Ipv4Addr,
    #[pack(order = 0)]
    port: u16,
}

const HOST: &[u8] = b"\x03\x50\0\x04\x0A\0\0\x07\x01b";

fn host() -> Host<'static> {
    Host { port: 80, address: Ipv4Addr::new(10, 0, 0, 7), name: "b" }
}

#[test]
fn a_member_with_a_formatter_has_the_bytes_that_the_formatter_says() {
    assert_eq!(to_vec(&host()).unwrap(), HOST);
    assert_eq!(packed_len(&host()).unwrap(), HOST.len());
    assert_eq!(from_slice::<Host>(HOST).unwrap(), host());

    let local = Host { address: Ipv4Addr::LOCALHOST, ..host() };
    assert_eq!(to_vec(&local).unwrap(), b"\x03\x50\0\0\x01b");

    let mut slot = local;
    overwrite(&mut slot, HOST).unwrap();
    assert_eq!(slot, host());
}

#[test]
fn a_version_tolerant_class_says_how_long_what_a_formatter_writes_is() {
    let far = Tolerant { address: Ipv4Addr::new(10, 0, 0, 7), port: 80 };
    let bytes = [3, 2, 0, 5, 80, 0, 4, 10, 0, 0, 7];
    assert_eq!(to_vec(&far).unwrap(), bytes);
    assert_eq!(from_slice::<Tolerant>(&bytes).unwrap(), far);
}

#[test]
fn what_a_formatter_refuses_is_an_error_at_its_place() {
    let everybody = Host { address: Ipv4Addr::BROADCAST, ..host() };
    let error = to_vec(&everybody).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Unsupported, 3));

    let mut bytes = HOST.to_vec();
    bytes[3] = 6;
    let error = from_slice::<Host>(&bytes).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::LengthInvalid, 3));
    for length in 0..HOST.len() {
        let error = from_slice::<Host>(&HOST[..length]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Truncated, "cut to {length} bytes: {error}");
    }
}
