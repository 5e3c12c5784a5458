use crate::{api, fields, function, layout, offsets, takes, text, ty};
use upcall_bindgen::model::{Body, Idiom, Int, TaggedShape};

/// Names and values, names and offsets.
type Values = &'static [(&'static str, i128)];
type Offsets = Vec<(&'static str, u64)>;

fn field_types(name: &str) -> Vec<String> {
    fields(name).iter().map(|field| text(&field.ty)).collect()
}

#[test]
fn packed_and_aligned_structs_have_their_own_offsets() {
    assert_eq!((layout("Point"), offsets("Point")), ((8, 4), vec![("x", 0), ("y", 4)]));
    assert_eq!((layout("Packed"), offsets("Packed")), ((13, 1), vec![("tag", 0), ("value", 1), ("wide", 5)]));
    assert_eq!((layout("PackedByTwo"), offsets("PackedByTwo")), ((10, 2), vec![("tag", 0), ("value", 2)]));
    assert_eq!((layout("Aligned"), offsets("Aligned")), ((16, 16), vec![("value", 0)]));
    let records = ["Packed", "PackedByTwo", "Aligned", "Point"].map(|name| match &ty(name).body {
        Body::Struct(record) => (record.packed, record.align),
        other => panic!("{other:?}"),
    });
    assert_eq!(records, [(Some(1), None), (Some(2), None), (None, Some(16)), (None, None)]);
    assert_eq!(ty("Packed").docs, "No padding at all.");
}

#[test]
fn structs_within_structs_are_placed_by_their_own_layouts() {
    assert_eq!(layout("layouts_Outer"), (112, 16));
    let expected = vec![
        ("before", 0),
        ("aligned", 16),
        ("packed", 32),
        ("number", 64),
        ("letter", 72),
        ("wide", 80),
        ("yes", 96),
    ];
    assert_eq!(offsets("layouts_Outer"), expected);
    assert_eq!(
        field_types("layouts_Outer"),
        ["u8", "Aligned", "[Packed; 2]", "Number", "char", "u128", "bool"]
    );
}

#[test]
fn tuples_and_transparent_structs_are_known_as_such() {
    let Body::Struct(pair) = &ty("Pair").body else { panic!("a struct") };
    assert!(pair.tuple && !pair.transparent);
    assert_eq!(offsets("Pair"), [("0", 0), ("1", 4)]);
    let Body::Struct(meters) = &ty("Meters").body else { panic!("a struct") };
    assert!(meters.tuple && meters.transparent);
    assert_eq!((layout("Meters"), field_types("Meters")), ((8, 8), vec!["f64".to_owned()]));
}

#[test]
fn arrays_are_of_structs_of_pointers_and_of_arrays_and_their_lengths_are_computed() {
    assert_eq!(field_types("Arrays"), ["[Point; 3]", "[*const Point?; 2]", "[[i16; 3]; 2]", "[u8; 5]"]);
    assert_eq!(offsets("Arrays"), [("points", 0), ("addresses", 24), ("rows", 40), ("bytes", 52)]);
    assert_eq!(layout("Arrays"), (64, 8));
}

#[test]
fn a_unions_fields_share_their_bytes() {
    assert!(matches!(ty("Number").body, Body::Union(_)));
    assert_eq!((layout("Number"), offsets("Number")), ((8, 8), vec![("int", 0), ("float", 0), ("bytes", 0)]));
    let Body::Union(line) = &ty("Line").body else { panic!("a union") };
    assert_eq!((layout("Line"), line.align), ((64, 64), Some(64)));
}

#[test]
fn wrappers_are_what_they_hold_and_markers_are_nothing() {
    assert_eq!(field_types("Wrapped"), ["u32", "Point", "u16", "u8", "u8"]);
    assert_eq!(offsets("Wrapped"), [("unset", 0), ("kept", 4), ("cell", 12), ("inner", 14), ("last", 15)]);
    let public: Vec<bool> = fields("Wrapped").iter().map(|field| field.public).collect();
    assert_eq!(public, [true, true, true, false, false]);
}

#[test]
fn what_has_no_size_or_no_fixed_layout_is_opaque() {
    for name in ["Empty", "Handle", "WordCounter"] {
        assert_eq!(ty(name).body, Body::Opaque, "{name}");
    }
}

#[test]
fn an_enums_values_are_those_that_the_compiler_computes() {
    let expected: [(&str, Int, u64, Values); 5] = [
        ("Signed", Int::I8, 1, &[("Below", -1), ("Zero", 0), ("Above", 1)]),
        ("Computed", Int::U8, 1, &[("First", 2), ("Masked", 8), ("After", 9), ("Other", 101)]),
        ("Plain", Int::I32, 4, &[("Minus", -1), ("Plus", 1)]),
        ("Vast", Int::U64, 8, &[("None", 0), ("Class", 1 << 40), ("Most", u64::MAX as i128)]),
        ("Turn", Int::I16, 2, &[("Left", -300), ("Straight", -299), ("Right", 512)]),
    ];
    for (name, repr, size, values) in expected {
        let Body::Enum(body) = &ty(name).body else { panic!("{name} is an enum") };
        let found: Vec<_> =
            body.variants.iter().map(|variant| (variant.name.as_str(), variant.value)).collect();
        assert_eq!((body.repr, layout(name), &found[..]), (repr, (size, size), values), "{name}");
    }
}

#[test]
fn flags_are_known_from_the_macro_and_from_a_struct_with_constants() {
    let flags = |name: &str| match &ty(name).body {
        Body::Flags(flags) => {
            let bits: Vec<_> = flags.bits.iter().map(|bit| (bit.name.as_str(), bit.value)).collect();
            (flags.repr, bits)
        }
        other => panic!("{name}: {other:?}"),
    };
    assert_eq!(flags("Access"), (Int::U16, vec![("READ", 1), ("WRITE", 2), ("BOTH", 3)]));
    assert_eq!(flags("Hand"), (Int::U8, vec![("LEFT", 1), ("RIGHT", 2)]));
    let Body::Flags(access) = &ty("Access").body else { panic!("flags") };
    assert_eq!(ty("Access").docs, "Read, write, or both.");
    assert_eq!(access.bits[1].docs, "The second bit.");
}

#[test]
fn enums_with_data_have_both_layouts_of_rfc_2195() {
    let tagged = |name: &str| {
        let Body::Tagged(tagged) = &ty(name).body else { panic!("{name} carries data") };
        let variants: Vec<(&str, i128, Offsets)> = tagged
            .variants
            .iter()
            .map(|variant| {
                assert!(variant.fields.iter().all(|field| field.public), "as public as the enum");
                let fields = variant.fields.iter().map(|field| (field.name.as_str(), field.offset));
                (variant.name.as_str(), variant.value, fields.collect())
            })
            .collect();
        (tagged.tag, tagged.shape, layout(name), variants)
    };
    let shape = vec![
        ("Nothing", 0, vec![]),
        ("Circle", 1, vec![("0", 4), ("1", 12)]),
        ("Box", 2, vec![("low", 4), ("high", 12)]),
    ];
    assert_eq!(tagged("Shape"), (Int::I32, TaggedShape::TagThenUnion, (20, 4), shape));
    let event = vec![("Quit", 3, vec![]), ("Key", 4, vec![("0", 4)]), ("Move", 9, vec![("x", 2), ("y", 4)])];
    assert_eq!(tagged("Event"), (Int::U8, TaggedShape::UnionOfTagged, (8, 4), event));
    let both = vec![("Small", 1, vec![("0", 8)]), ("Large", 200, vec![("0", 8)])];
    assert_eq!(tagged("Tagged"), (Int::U8, TaggedShape::TagThenUnion, (16, 8), both));
}

#[test]
fn a_generic_struct_is_one_type_for_each_use() {
    assert_eq!(field_types("View_Point"), ["*const Point?", "u32"]);
    assert_eq!(field_types("View_u8"), ["*const u8?", "u32"]);
    assert_eq!((layout("View_u8"), offsets("View_u8")), ((16, 8), vec![("first", 0), ("count", 8)]));
    assert_eq!(field_types("Fixed_u16_3"), ["[u16; 3]", "u8"]);
    assert_eq!((layout("Fixed_u16_3"), offsets("Fixed_u16_3")), ((8, 2), vec![("values", 0), ("used", 6)]));
    assert_eq!(
        (field_types("Both_u8_f64"), offsets("Both_u8_f64")),
        (vec!["u8".to_owned(), "f64".to_owned()], vec![("left", 0), ("right", 8)])
    );
    assert_eq!(field_types("Both_f64_u8"), ["f64", "u8"]);
    assert_eq!(ty("View_Point").docs, "Borrowed elements, and how many.");
}

#[test]
fn generic_arguments_nest_and_defaults_stand_for_those_left_out() {
    let Body::Alias(to) = &ty("Nested").body else { panic!("an alias") };
    assert_eq!(text(to), "Both_Fixed_u8_2_View_Both_f32_f32");
    assert_eq!(field_types(&text(to)), ["Fixed_u8_2", "View_Both_f32_f32"]);
    assert_eq!(
        (layout("Fixed_u8_2"), field_types("Fixed_u8_2")),
        ((3, 1), vec!["[u8; 2]".to_owned(), "u8".to_owned()])
    );
    assert_eq!(field_types("View_Both_f32_f32"), ["*const Both_f32_f32?", "u32"]);
    assert_eq!(layout("Both_f32_f32"), (8, 4), "known though only a pointer leads to it");
    assert_eq!(ty("Fixed_u16_3").source, "crate::generics::Fixed<u16, 3>");
}

#[test]
fn constant_arguments_are_values_however_they_are_written() {
    assert!(field_types("Written").iter().all(|ty| ty == "Fixed_u8_2"), "{:?}", field_types("Written"));
    assert_eq!(
        field_types("Holds_u16"),
        ["Fixed_u16_5", "[u16; 5]", "Tagged_minus1_true_x", "Tagged_1_false_y"]
    );
    assert_eq!(layout("Fixed_u16_5"), (12, 2));
    assert_eq!(field_types("Rows"), ["Both_u8x2_u8", "Both_u8x2_u8"]);
}

#[test]
fn types_of_one_name_are_told_apart_by_their_modules() {
    assert_eq!(field_types("twins_left_Twin"), ["u8"]);
    assert_eq!(field_types("twins_right_Twin"), ["u64", "twins_left_Twin"]);
    assert!(matches!(ty("callbacks_Outer").body, Body::Callback { .. }));
    assert!(api().types.iter().all(|declared| declared.name != "Twin" && declared.name != "Renamed"));
    assert_eq!(ty("twins_left_Twin").source, "crate::twins::left::Twin");
}

#[test]
fn the_structs_of_upcall_abi_are_idioms_of_their_elements() {
    let idiom = |name: &str| match ty(name).idiom.as_ref().expect("an idiom") {
        Idiom::Slice { of, mutable } => format!("slice {} {mutable}", text(of)),
        Idiom::Rel { of } => format!("rel {}", text(of)),
        Idiom::Buffer { of } => format!("buffer {}", text(of)),
        other => format!("{other:?}"),
    };
    let expected = [
        ("Slice_f32", "slice f32 false", 16),
        ("SliceMut_Point", "slice Point true", 16),
        ("Slice_f32x2", "slice [f32; 2] false", 16),
        ("Rel_Point", "rel Point", 16),
        ("Buffer_u32", "buffer u32", 32),
        ("Buffer_Sample", "buffer Sample", 32),
        ("Str", "Str", 16),
        ("Text", "Text", 32),
        ("Failure", "Failure", 40),
    ];
    for (name, expected, size) in expected {
        assert_eq!((idiom(name).as_str(), layout(name)), (expected, (size, 8)), "{name}");
    }
    assert_eq!(offsets("Failure"), [("message", 0), ("code", 32)]);
    assert_eq!(offsets("Text"), [("data", 0), ("len", 8), ("capacity", 16), ("release", 24)]);
    assert_eq!(
        (offsets("Rel_Point"), field_types("Header")),
        (vec![("offset", 0), ("len", 8)], vec!["u32".to_owned(), "Rel_Point".to_owned()])
    );
}

#[test]
fn files_of_odd_places_and_names_from_globs_are_found() {
    for (name, file, line) in [
        ("Deepest", "files/deep/deepest.rs", 4),
        ("Moved", "files/elsewhere.in", 4),
        ("Included", "files/included.in", 3),
        ("Hidden", "files/mod.rs", 15),
    ] {
        let place = &ty(name).place;
        assert!(place.file.ends_with(file), "{name}: {place:?}");
        assert_eq!(place.line, line, "{name}");
    }
    assert_eq!(offsets("Included"), [("private", 0), ("value", 4)]);
    assert_eq!(layout("Own"), (4, 4), "a private module's private fields are measured too");
}

#[test]
fn what_a_macro_makes_is_there_at_the_macros_place() {
    assert_eq!((layout("Made"), offsets("Made")), ((8, 4), vec![("left", 0), ("right", 2), ("sum", 4)]));
    assert_eq!(ty("Made").docs, "A macro made it, with a private field.");
    assert!(ty("Made").place.file.ends_with("made.rs"));
}

#[test]
fn modules_and_blocks_that_macros_make_are_there() {
    assert_eq!(offsets("Within"), [("first", 0), ("rest", 2)]);
    assert_eq!(field_types("Within"), ["u8", "[u16; 3]"]);
    assert_eq!(field_types("Deeper"), ["Within", "Fixed_u8_3"]);
    assert_eq!((layout("Within"), layout("Deeper")), ((8, 2), (12, 2)));
    assert_eq!(ty("Within").docs, "In a module that a macro made.");
    assert_eq!(
        (takes("within_first"), takes("deeper_used")),
        ("fn(*const Within) -> u8".into(), "fn(*const Deeper) -> u8".into())
    );
    let Body::Flags(grade) = &ty("Grade").body else { panic!("{:?}", ty("Grade").body) };
    let values: Vec<_> = grade.bits.iter().map(|bit| (bit.name.as_str(), bit.value)).collect();
    assert_eq!(values, [("LOW", 1), ("HIGH", 16)]);
}

#[test]
fn exports_that_macros_make_are_their_shims() {
    let (add, length) = (function("tally_add"), function("made_length"));
    assert_eq!((takes("tally_add").as_str(), add.fallible), ("fn(*mut Tally, i64) -> i64", true));
    assert_eq!(add.docs, "Adds, unless it is negative.");
    assert!(add.member.is_some() && function("tally_release").member.is_some());
    assert_eq!((takes("made_length").as_str(), length.symbol.as_str()), ("fn(Str) -> u64", "made_length"));
    assert_eq!(length.docs, "How long a text is.");
    assert!(api().functions.iter().all(|function| !function.name.contains("skipped")));
}

#[test]
fn a_type_comes_after_those_that_it_holds() {
    let at = |name: &str| api().types.iter().position(|declared| declared.name == name).unwrap();
    assert!(at("Point") < at("Arrays") && at("Aligned") < at("layouts_Outer"));
    assert!(at("twins_left_Twin") < at("twins_right_Twin") && at("Text") < at("Failure"));
}
