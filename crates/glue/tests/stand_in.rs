//! What native code gets from a callback that has failed.

use upcall_glue::stand_in::stand_in;

#[test]
fn places_hold_their_numbers_and_the_rest_is_zeros() {
    #[repr(C)]
    #[derive(Clone, Copy)]
    struct Mixed {
        kind: i8,
        wide: i128,
        small: u16,
    }
    let numbers = [
        (0, 1, -1),
        (std::mem::offset_of!(Mixed, wide), 16, i128::MIN),
        (std::mem::offset_of!(Mixed, small), 2, 258),
    ];
    // SAFETY: integers may be zeros, and the places are its fields.
    let value = unsafe { stand_in::<Mixed>(&numbers) };
    assert_eq!((value.kind, value.wide, value.small), (-1, i128::MIN, 258));
    // SAFETY: as above.
    assert_eq!(unsafe { stand_in::<f64>(&[]) }, 0.0);
}
