//! Compressed frames: what goes in comes out, and nothing else is believed.

use proptest::prelude::*;
use upcall_pack::ErrorKind;
use upcall_pack::frame::{Codec, HEADER, Header, compress, compress_at, decompress, header};

fn available() -> impl Iterator<Item = Codec> {
    Codec::ALL.into_iter().filter(|codec| codec.is_available())
}

const LIMIT: usize = 8 << 20;

#[test]
fn a_stored_frame_is_its_header_and_the_bytes() {
    let frame = compress(b"abc", Codec::Stored).unwrap();
    assert_eq!(frame, b"UPFR\x01\0\0\0\x03\0\0\0\0\0\0\0abc");
    assert!(matches!(decompress(&frame, 3).unwrap(), std::borrow::Cow::Borrowed(b"abc")), "not copied");
}

#[test]
fn what_repeats_becomes_small_and_noise_is_stored() {
    let repeated = b"every record has the same words in it; ".repeat(20_000);
    let mut state = 1_u64;
    let noise = std::iter::repeat_with(|| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    });
    let noise: Vec<u8> = noise.take(100_000).collect();
    for codec in available().filter(|codec| *codec != Codec::Stored) {
        let frame = compress(&repeated, codec).unwrap();
        assert!(frame.len() < repeated.len() / 100, "{codec:?}: {}", frame.len());
        assert_eq!(header(&frame).unwrap(), Header { codec, length: repeated.len() as u64 });
        assert_eq!(decompress(&frame, LIMIT).unwrap(), repeated);
        assert_eq!(decompress(&frame, repeated.len() - 1).unwrap_err().kind(), ErrorKind::LengthInvalid);
        let frame = compress(&noise, codec).unwrap();
        assert_eq!((header(&frame).unwrap().codec, frame.len()), (Codec::Stored, HEADER + noise.len()));
    }
}

#[test]
fn every_level_comes_back() {
    let bytes = b"levels ".repeat(500);
    for codec in available() {
        for level in [i32::MIN, -7, -1, 0, 1, 3, 5, 11, 12, 19, i32::MAX] {
            let frame = compress_at(&bytes, codec, level).unwrap();
            assert_eq!(decompress(&frame, LIMIT).unwrap(), bytes, "{codec:?} at {level}");
        }
    }
}

#[test]
fn a_codec_that_is_not_built_in_says_which_feature_adds_it() {
    for codec in Codec::ALL.into_iter().filter(|codec| !codec.is_available()) {
        let error = compress(b"abc", codec).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert!(error.to_string().contains(&format!("`{codec:?}`").to_lowercase()), "{error}");
        let mut frame = compress(b"abc", Codec::Stored).unwrap();
        frame[5] = Codec::ALL.iter().position(|one| *one == codec).unwrap() as u8;
        assert_eq!(decompress(&frame, LIMIT).unwrap_err().kind(), ErrorKind::Unsupported);
    }
}

#[test]
fn a_header_that_is_none_is_an_error_at_its_byte() {
    let frame = compress(b"abc", Codec::Stored).unwrap();
    for at in 0..8 {
        let mut changed = frame.clone();
        changed[at] ^= 0x80;
        let error = decompress(&changed, LIMIT).unwrap_err();
        let place = match at {
            0..4 => 0,
            6..8 => 6,
            at => at,
        };
        assert_eq!((error.kind(), error.offset()), (ErrorKind::ValueInvalid, place), "byte {at}");
    }
    for length in 0..HEADER {
        assert_eq!(header(&frame[..length]).unwrap_err().kind(), ErrorKind::Truncated, "{length} bytes");
    }
}

#[test]
fn a_length_that_lies_is_an_error() {
    let bytes = b"lies ".repeat(1000);
    for codec in available() {
        let frame = compress(&bytes, codec).unwrap();
        for length in [0, 1, bytes.len() - 1, bytes.len() + 1, LIMIT, usize::MAX] {
            let mut lying = frame.clone();
            lying[8..16].copy_from_slice(&(length as u64).to_le_bytes());
            assert!(decompress(&lying, LIMIT).is_err(), "{codec:?} said to hold {length}");
            assert!(
                decompress(&lying, usize::MAX).is_err(),
                "{codec:?} said to hold {length}, without a limit"
            );
        }
    }
}

#[test]
fn a_frame_cut_short_or_with_more_behind_it_is_an_error() {
    let bytes = b"cut ".repeat(100);
    for codec in available() {
        let frame = compress(&bytes, codec).unwrap();
        for length in 0..frame.len() {
            let error = decompress(&frame[..length], LIMIT).expect_err("it is cut");
            // Of the codecs, only this one tells bytes that end too early from others.
            let told = codec == Codec::Brotli || length < HEADER;
            assert!(!told || error.kind() == ErrorKind::Truncated, "{codec:?} cut to {length}: {error}");
        }
        let longer = [frame, vec![0]].concat();
        assert!(decompress(&longer, LIMIT).is_err(), "{codec:?} with a byte behind it");
    }
}

proptest! {
    #[test]
    fn any_bytes_come_back(bytes in proptest::collection::vec(0..4_u8, 0..5000)) {
        for codec in available() {
            let frame = compress(&bytes, codec).unwrap();
            prop_assert!(frame.len() <= HEADER + bytes.len());
            prop_assert_eq!(&decompress(&frame, LIMIT).unwrap(), &bytes);
        }
    }

    #[test]
    fn a_changed_byte_is_never_a_panic(at in 8..400_usize, change in 1..=255_u8, seed in any::<u8>()) {
        for codec in available() {
            let bytes: Vec<u8> = (0..1000).map(|index: u32| (index % 7) as u8 ^ seed).collect();
            let mut frame = compress(&bytes, codec).unwrap();
            let at = at % frame.len();
            frame[at] ^= change;
            if let Ok(out) = decompress(&frame, LIMIT) {
                prop_assert!(out.len() <= LIMIT);
            }
        }
    }
}
