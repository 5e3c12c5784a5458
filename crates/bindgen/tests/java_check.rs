//! The check program passes every shape, and notices errors.

use bindgen_tests::{java, random, shapes};
use std::path::Path;
use std::process::Output;
use upcall_bindgen::File;
use upcall_bindgen::check::Echo;
use upcall_bindgen::java::{Options, check, jdk::Jdk};
use upcall_bindgen::model::{Api, Body, Layout, Ty, TypeId};

/// Checks bindings made from `told` against a library made from `real`.
fn check(jdk: &Jdk, folder: &Path, told: &Api, real: &Api) -> Output {
    check_with(jdk, folder, &check::program(told, &Options::default()), real)
}

fn check_with(jdk: &Jdk, folder: &Path, program: &[File], real: &Api) -> Output {
    java::place(folder, program);
    if let Err(said) = java::compile(jdk, folder) {
        panic!("{said}");
    }
    java::place(&folder.join("echo"), &Echo::new(real).files);
    let library = folder.join("libupcall_echo.so");
    java::cdylib(&folder.join("echo"), &library);
    if folder.join("shim").exists() {
        java::cdylib(&folder.join("shim"), &folder.join("libupcall_echo_shim.so"));
    }
    let property = format!("-Dupcall_echo.library={}", library.display());
    java::run_class(jdk, folder, &[property.as_ref()], &format!("upcall_echo.{}", check::MAIN))
}

#[test]
fn every_shape_is_right() {
    let Some(jdk) = java::ffm() else { return };
    let api = shapes::api();
    let output = check(&jdk, &java::folder("check"), &api, &api);
    let said = java::said(&output);
    assert!(output.status.success(), "{said}");
    assert!(said.starts_with("checked 1"), "{said}");
}

#[test]
fn a_field_in_another_place_is_noticed() {
    let Some(jdk) = java::ffm() else { return };
    let real = shapes::api();
    let mut told = real.clone();
    let point = told.types.iter_mut().find(|declared| declared.name == "Point").unwrap();
    let Body::Struct(record) = &mut point.body else { panic!("a struct") };
    let [x, y] = record.fields.as_mut_slice() else { panic!("two fields") };
    std::mem::swap(&mut x.offset, &mut y.offset);
    let output = check(&jdk, &java::folder("check-wrong"), &told, &real);
    let said = java::said(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("Point: passed by value: "), "{said}");
}

#[test]
fn an_accessor_that_reads_another_value_is_noticed() {
    let Some(jdk) = java::ffm() else { return };
    let [mut files, lying] =
        [shapes::api(), shapes::without_sign()].map(|api| check::program(&api, &Options::default()));
    let is_class = |file: &&mut File| file.path.ends_with("Bitfields.java");
    let class = files.iter_mut().find(is_class).unwrap();
    *class = lying.into_iter().find(|file| file.path == class.path).unwrap();
    let output = check_with(&jdk, &java::folder("check-sign"), &files, &shapes::api());
    let said = java::said(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("Bitfields: bitfield a of sent: expected -"), "{said}");
}

#[test]
fn random_types_have_their_layouts_and_cross_by_value_and_by_pointer() {
    let Some(jdk) = java::ffm() else { return };
    for seed in [0x5eed, 22] {
        let api = random::api(seed, 250);
        let output = check(&jdk, &java::folder("check-random"), &api, &api);
        assert_eq!(java::said(&output), "checked 250 types\n");
    }
}

/// A Java method has room for 255 words of parameters, into which a struct on the stack is split.
#[test]
fn a_large_struct_goes_through_the_shim() {
    let Some(jdk) = java::ffm() else { return };
    let mut api = shapes::api();
    api.types.truncate(1);
    let mut large = api.types[0].clone();
    large.name = "Large".into();
    large.layout = Some(Layout { size: 2400, align: 4 });
    let Body::Struct(record) = &mut large.body else { panic!("a struct") };
    record.fields.truncate(1);
    record.fields[0].ty = Ty::Array { of: Box::new(Ty::Named(TypeId(0))), len: 300 };
    api.types.push(large);
    let folder = java::folder("check-large");
    let output = check(&jdk, &folder, &api, &api);
    assert_eq!(java::said(&output), "checked 2 types\n");
    assert!(folder.join("shim").is_dir());
}
