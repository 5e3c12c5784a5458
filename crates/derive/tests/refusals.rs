//! Each refusal, compared with the text that the user sees.

#[test]
fn what_is_not_blittable_is_refused_with_a_message_that_says_what_to_do() {
    trybuild::TestCases::new().compile_fail("ui/*.rs");
}
