//! The table of layouts, compared with the sources: a mirror in another language is only as complete as it.

use std::fs;
use std::path::Path;
use upcall_abi::{Layout, layouts};

/// A boundary struct as its source has it.
#[derive(Debug)]
struct Declared {
    name: String,
    fields: Vec<String>,
}

/// Every `pub struct` of the crate with `repr(C)` or `repr(transparent)`, with its public fields in order.
fn declared() -> Vec<Declared> {
    let mut found = Vec::new();
    for file in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).unwrap() {
        let file = file.unwrap().path();
        // The engine's own, behind the frame that it gives out.
        if file.ends_with("chain.rs") {
            continue;
        }
        let source = fs::read_to_string(file).unwrap();
        let mut of_the_boundary = false;
        let mut lines = source.lines();
        while let Some(line) = lines.next() {
            of_the_boundary |= line.starts_with("#[repr(C") || line.starts_with("#[repr(transparent)");
            let Some(declaration) = line.strip_prefix("pub struct ") else { continue };
            if std::mem::take(&mut of_the_boundary) {
                let name = declaration.split([' ', '<', '(']).next().unwrap().to_owned();
                let fields = if declaration.ends_with(';') {
                    (0..declaration.matches("pub ").count()).map(|index| index.to_string()).collect()
                } else {
                    let body = lines.by_ref().take_while(|line| *line != "}");
                    body.filter_map(|line| Some(line.strip_prefix("    pub ")?.split_once(':')?.0.into()))
                        .collect()
                };
                found.push(Declared { name, fields });
            }
        }
    }
    found
}

/// `Rel<u8>` stands for every `Rel<T>`.
fn plain_name(layout: &Layout) -> &str {
    layout.name.split('<').next().unwrap()
}

#[test]
fn every_boundary_struct_is_listed_with_all_its_fields() {
    let declared = declared();
    assert!(declared.iter().any(|one| one.name == "FlowFrame" && one.fields.len() > 5), "{declared:?}");
    for Declared { name, fields } in declared {
        let listed = layouts().iter().find(|layout| plain_name(layout) == name);
        let listed = listed.unwrap_or_else(|| panic!("`{name}` is not in `layouts()`"));
        let names: Vec<&str> = listed.fields.iter().map(|field| field.name).collect();
        assert_eq!(names, fields, "fields of `{name}`");
    }
}

#[test]
fn no_struct_is_listed_twice() {
    let mut names: Vec<&str> = layouts().iter().map(|layout| layout.name).collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|two| two[0] != two[1]), "{names:?}");
}

#[test]
fn fields_are_in_order_and_inside_their_struct() {
    for layout in layouts() {
        assert!(layout.size.is_multiple_of(layout.align), "{layout:?}");
        assert!(layout.fields.windows(2).all(|two| two[0].offset < two[1].offset), "{layout:?}");
        assert!(layout.fields.iter().all(|field| field.offset < layout.size), "{layout:?}");
    }
}
