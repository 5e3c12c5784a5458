//! Columns as another implementation of Arrow sees them.

use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::types::{Float32Type, Int16Type, UInt8Type, UInt64Type};
use arrow_array::{Array, StructArray};
use std::ffi::c_void;
use std::sync::Arc;
use upcall_derive::Soa;
use upcall_soa::SoaBox;
use upcall_soa::arrow::{ArrowArray, ArrowSchema, export};

#[derive(Clone, Soa)]
#[soa(crate = upcall_soa)]
struct Place {
    at: [f32; 3],
    cell: u64,
}

#[derive(Clone, Soa)]
#[soa(crate = upcall_soa)]
struct Body {
    kind: u8,
    awake: bool,
    #[soa(flatten)]
    place: Place,
    corners: [[i16; 2]; 4],
    marks: [bool; 3],
}

fn body(number: u32) -> Body {
    let at = [number as f32, 0.5, -1.0];
    let corner = number as i16;
    Body {
        kind: number as u8,
        awake: number.is_multiple_of(3),
        place: Place { at, cell: u64::from(number) << 33 },
        corners: [[corner, 1], [corner, 2], [corner, 3], [corner, 4]],
        marks: [number.is_multiple_of(2), true, number.is_multiple_of(5)],
    }
}

fn bodies(count: u32) -> Arc<SoaBox<Body>> {
    Arc::new((0..count).map(body).collect())
}

/// Hands both over, as a C program would take them.
fn import((schema, array): (ArrowSchema, ArrowArray)) -> StructArray {
    const {
        assert!(size_of::<ArrowSchema>() == size_of::<FFI_ArrowSchema>());
        assert!(size_of::<ArrowArray>() == size_of::<FFI_ArrowArray>());
    }
    // SAFETY: both are the structs of the specification, and are moved.
    let imported = unsafe {
        let schema: FFI_ArrowSchema = std::mem::transmute(schema);
        from_ffi(std::mem::transmute::<ArrowArray, FFI_ArrowArray>(array), &schema)
    };
    let data = imported.expect("it is a struct array");
    data.validate_full().expect("its buffers are as long as its types say");
    StructArray::from(data)
}

#[test]
fn another_implementation_sees_the_columns_where_they_lie() {
    let rows = bodies(77);
    let seen = import(export(Arc::clone(&rows)));
    assert_eq!(seen.column_names(), ["kind", "awake", "place", "corners", "marks"]);
    assert_eq!((seen.len(), seen.null_count()), (77, 0));

    let kind = seen.column(0).as_primitive::<UInt8Type>().values();
    assert_eq!((&**kind, kind.as_ptr()), (rows.kind(), rows.kind().as_ptr()));
    assert!(seen.column(1).as_boolean().iter().eq(rows.awake().iter().copied().map(Some)));

    let place = seen.column(2).as_struct();
    assert_eq!(place.column_names(), ["at", "cell"]);
    let at = place.column(0).as_fixed_size_list();
    assert_eq!(at.value_length(), 3);
    let floats = at.values().as_primitive::<Float32Type>().values();
    assert_eq!(
        (&**floats, floats.as_ptr()),
        (rows.place().at().as_flattened(), rows.place().at().as_ptr().cast())
    );
    assert_eq!(&**place.column(1).as_primitive::<UInt64Type>().values(), rows.place().cell());

    let corners = seen.column(3).as_fixed_size_list().value(76);
    let inner = corners.as_fixed_size_list().value(3);
    assert_eq!(&**inner.as_primitive::<Int16Type>().values(), [76, 4]);
    let marks = seen.column(4).as_fixed_size_list().values();
    assert!(marks.as_boolean().iter().eq(rows.marks().as_flattened().iter().copied().map(Some)));
}

#[test]
fn the_container_lives_until_the_last_child_is_released() {
    let rows = bodies(9);
    let seen = import(export(Arc::clone(&rows)));
    let kind = Arc::clone(seen.column(0));
    let alive = Arc::downgrade(&rows);
    drop((rows, seen));
    assert_eq!(&**kind.as_primitive::<UInt8Type>().values(), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    std::thread::spawn(move || drop(kind)).join().unwrap();
    assert_eq!(alive.strong_count(), 0);
}

#[test]
fn what_nobody_takes_is_released() {
    let rows = bodies(5);
    let (schema, array) = export(Arc::clone(&rows));
    assert!(Arc::strong_count(&rows) > 1);
    drop(schema);
    drop(array);
    assert_eq!(Arc::strong_count(&rows), 1);
}

/// The array as a C program knows it.
#[repr(C)]
struct Foreign {
    counts: [i64; 5],
    buffers: *mut *const u8,
    children: *mut *mut Foreign,
    dictionary: *mut Foreign,
    release: Option<unsafe extern "C" fn(*mut Foreign)>,
    private_data: *mut c_void,
}

#[test]
fn a_child_may_be_moved_out_of_its_parent() {
    const { assert!(size_of::<ArrowArray>() == size_of::<Foreign>()) };
    let rows = bodies(5);
    let (_, array) = export(Arc::clone(&rows));
    // SAFETY: it is the struct of the specification, and is moved.
    let mut array: Foreign = unsafe { std::mem::transmute(array) };
    assert_eq!(array.counts, [5, 0, 0, 1, 5]);
    // SAFETY: there are five children; the first is moved, and marked as such. Each is released once.
    unsafe {
        let place = *array.children;
        let mut child = std::ptr::read(place);
        (*place).release = None;
        array.release.unwrap()(&mut array);
        assert_eq!(**child.buffers.add(1), 0);
        assert_eq!(Arc::strong_count(&rows), 2);
        child.release.unwrap()(&mut child);
        assert!(child.release.is_none());
    }
    assert_eq!(Arc::strong_count(&rows), 1);
}

#[test]
fn no_rows_are_an_array_too() {
    let seen = import(export(bodies(0)));
    assert_eq!((seen.len(), seen.num_columns()), (0, 5));
}
