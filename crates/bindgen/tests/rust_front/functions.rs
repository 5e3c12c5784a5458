use crate::{api, function, takes, ty};
use upcall_bindgen::model::{Body, Role, Ty};

#[test]
fn every_type_of_parameter_and_result_is_known() {
    for (name, expected) in [
        ("every", "fn(i8, u8, i16, u16, u32, i64, u64, u128, f32, f64) -> f64"),
        ("long_sum", "fn(c_long, c_ulong) -> c_long"),
        ("wide_negate", "fn(i128) -> i128"),
        ("size_sum", "fn(usize, isize) -> usize"),
        ("next_char", "fn(char) -> char"),
        ("not", "fn(bool) -> bool"),
        ("first_char", "fn(*const c_char?) -> c_char"),
        ("non_zero", "fn(u32) -> u32"),
        ("maybe_non_zero", "fn(u64) -> u64"),
        ("small_non_zero", "fn(u8) -> u8"),
        ("handle_new", "fn() -> own *mut Handle"),
        ("handle_push", "fn(*mut Handle, i32) -> usize"),
        ("handle_sum", "fn(*const Handle?) -> i32"),
        ("handle_release", "fn(own *mut Handle?) -> ()"),
        ("point_x", "fn(*mut Point) -> f32"),
        ("maybe_point", "fn(*mut Point?) -> *mut Point?"),
        ("point_copy", "fn(*const Point, *mut Point) -> *mut Point"),
        ("deep", "fn(*mut *mut *const i32???) -> i32"),
        ("triple_sum", "fn(*const [f32; 3]?) -> f32"),
        ("grid_sum", "fn(*const [[i16; 2]; 3]?, *const [*const Point?; 2]?) -> f32"),
        ("twin_join", "fn(twins_left_Twin, twins_right_Twin) -> u64"),
        ("files_sum", "fn(Hidden, Deepest, Moved, Own) -> u32"),
        ("empty_address", "fn(*const Empty?) -> bool"),
        ("doubler", "fn() -> fn(i32) -> i32"),
        ("maybe_call", "fn(fn(Point) -> f32?, Point) -> f32"),
        ("text_bytes", "fn(Str) -> usize"),
        ("numbers", "fn(u32) -> Buffer_u32"),
    ] {
        assert_eq!(takes(name), expected, "{name}");
        assert!(!function(name).fallible && function(name).member.is_none(), "{name}");
    }
}

#[test]
fn names_symbols_docs_and_deprecation_are_carried_over() {
    let plus_one = function("increment");
    assert_eq!((plus_one.symbol.as_str(), plus_one.deprecated.as_deref()), ("plus_one", Some("use add")));
    assert_eq!(plus_one.docs, "Replaced by `add`.");
    assert_eq!(function("add").deprecated, None);
    let names: Vec<_> =
        function("keywords").signature.params.iter().map(|param| param.name.as_str()).collect();
    assert_eq!(names, ["in", "class", "def", "function", "namespace"]);
    assert!(function("add").place.file.ends_with("awkward/src/scalars.rs"));
    assert_eq!((function("add").place.line, function("add").place.column), (8, 19));
}

#[test]
fn callbacks_are_types_of_their_own_and_know_their_contexts() {
    let visit = &function("visit").signature;
    assert_eq!(visit.params[2].context_of, Some(1));
    let Body::Callback { signature, nullable } = &ty("Visit").body else { panic!("a callback") };
    assert_eq!((signature.context, nullable), (Some(1), &false));
    assert_eq!(signature.params[0].name, "value");
    assert_eq!(takes("call_outer"), "fn(callbacks_Outer, i32) -> i32");
    let Body::Callback { signature, .. } = &ty("callbacks_Outer").body else { panic!("a callback") };
    assert_eq!(crate::text(&signature.params[0].ty), "fn(i32) -> i32", "a callback that takes one");
    let table: Vec<_> = crate::fields("Table").iter().map(|field| crate::text(&field.ty)).collect();
    assert_eq!(table, ["fn(i32) -> i32", "fn(*const Point, *mut ()?) -> i32?", "*mut ()?"]);
}

#[test]
fn exported_functions_are_their_shims() {
    for (name, symbol, expected) in [
        ("checked_add", "checked_add", "fn(i32, i32) -> i32"),
        ("toggled", "toggled", "fn(bool) -> bool"),
        ("opposite", "opposite", "fn(Turn) -> Turn"),
        ("char_after", "char_after", "fn(char) -> char"),
        ("wide_sum", "wide_sum", "fn(u128, i128) -> i128"),
        ("greet", "greet", "fn(Str) -> Text"),
        ("edition", "edition", "fn() -> Str"),
        ("sum", "sum", "fn(Slice_f32) -> f32"),
        ("add_to", "add_to", "fn(SliceMut_f32, Slice_f32) -> ()"),
        ("rows_sum", "rows_sum", "fn(Slice_i16x2) -> i32"),
        ("samples", "samples", "fn(u32) -> Buffer_Sample"),
        ("moved", "moved", "fn(Sample, *const Sample) -> Sample"),
        ("move_in_place", "move_in_place", "fn(*mut Sample, *const Sample?) -> bool"),
        ("parse", "parse", "fn(Str) -> i64"),
        ("words", "words", "fn(Str) -> Buffer_u32"),
        ("nothing", "nothing", "fn(bool) -> ()"),
        ("read_number", "read_number", "fn(*const u32?) -> u32"),
        ("made_beside", "made_beside", "fn(u32) -> u32"),
    ] {
        let found = function(name);
        assert_eq!((found.symbol.as_str(), takes(name).as_str()), (symbol, expected), "{name}");
        assert!(found.fallible, "{name}");
    }
    for (name, error) in [
        ("parse", Some("NotANumber")),
        ("words", None),
        ("nothing", None),
        ("greet", None),
        ("word_counter_parse", None),
    ] {
        assert_eq!(function(name).error.as_deref(), error, "{name}");
    }
    assert_eq!(function("greet").docs, "Greets.\n\nWith a comma.");
    assert_eq!(function("edition").deprecated.as_deref(), Some("ask the library's own version"));
    let names: Vec<_> =
        function("shadows").signature.params.iter().map(|param| param.name.as_str()).collect();
    assert_eq!(names[..3], ["failure", "scope", "type"]);
    assert!(api().functions.iter().all(|function| function.name != "toggle"), "it is exported as `toggled`");
}

#[test]
fn exported_callbacks_have_their_context_first_and_behind_them() {
    let count_if = &function("count_if").signature;
    assert_eq!(takes("count_if"), "fn(Slice_i32, fn(*mut ()?, i32) -> bool, *mut ()?) -> u32");
    assert_eq!(count_if.params[2].context_of, Some(1));
    let Ty::Function { signature, nullable: false } = &count_if.params[1].ty else { panic!("a function") };
    assert_eq!(signature.context, Some(0));
    assert_eq!(takes("each_word"), "fn(Str, fn(*mut ()?, Str, u32) -> (), *mut ()?) -> ()");
    assert_eq!(takes("each_row"), "fn(Slice_f32x2, fn(*mut ()?, Slice_f32) -> f32, *mut ()?) -> f32");
    assert_eq!(takes("sampled"), "fn(u32, fn(*mut ()?, *mut Sample) -> (), *mut ()?) -> Buffer_Sample");
    assert_eq!(takes("apply"), "fn(fn(*mut ()?, i32) -> i32, *mut ()?, fn(i32) -> i32?) -> i32");
}

#[test]
fn an_exported_impl_block_makes_a_handle_with_members() {
    let of = |name: &str| {
        let member = function(name).member.as_ref().unwrap_or_else(|| panic!("`{name}` is a member"));
        (api().get(member.of).name.as_str(), member.role, member.name.as_str())
    };
    for (name, role, own, expected) in [
        ("word_counter_new", Role::Constructor, "new", "fn(u64) -> own *mut WordCounter"),
        ("word_counter_parse", Role::Constructor, "parse", "fn(Str) -> own *mut WordCounter"),
        ("word_counter_add", Role::Method, "add", "fn(*mut WordCounter, u64) -> u64"),
        ("word_counter_get", Role::Method, "get", "fn(*const WordCounter) -> u64"),
        ("counters_alive", Role::Static, "live", "fn() -> i32"),
        ("word_counter_fork", Role::Method, "fork", "fn(*const WordCounter) -> own *mut WordCounter"),
        ("word_counter_release", Role::Release, "release", "fn(own *mut WordCounter?) -> ()"),
    ] {
        assert_eq!((of(name), takes(name).as_str()), (("WordCounter", role, own), expected), "{name}");
    }
    assert!(!function("word_counter_release").fallible, "a release cannot fail");
    assert_eq!(function("word_counter_new").docs, "One that starts there.");
    assert_eq!(takes("swap_counts"), "fn(*mut WordCounter, *mut WordCounter) -> ()");
    assert_eq!(takes("total"), "fn(*const WordCounter, *const WordCounter?) -> u64");
    assert_eq!(takes("counter_of"), "fn(Str) -> own *mut WordCounter");
    let hidden = ["word_counter_generic", "word_counter_hidden", "generic", "hidden"];
    assert!(api().functions.iter().all(|function| !hidden.contains(&function.name.as_str())));
}

#[test]
fn what_cfg_and_features_leave_out_is_not_there() {
    let has = |name: &str| api().functions.iter().any(|function| function.name == name);
    assert_eq!((has("on_windows"), has("elsewhere")), (cfg!(windows), cfg!(not(windows))));
    assert!(has("extra") && !has("never"), "default features are on, others are not");
    assert_eq!(takes("made_twice"), "fn(u32) -> u32");
    assert_eq!(takes("made_sum"), "fn(Made) -> Made");
    assert_eq!(takes("included_set"), "fn(*mut Included, u16) -> ()");
}
