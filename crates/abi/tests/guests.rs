//! Numbers that the guests of WebAssembly have written down by hand, compared with the boundary's own.

use std::fs;
use std::path::Path;
use upcall_abi::{
    ABI, ErrorSlot, Layout, Record, about, access, as_of, kind, layouts, missing, phase, refusal,
};

fn source(path: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sdk").join(path);
    fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

fn layout(name: &str) -> &'static Layout {
    layouts().iter().find(|layout| layout.name == name).unwrap_or_else(|| panic!("there is no {name}"))
}

/// Where the field of a struct is; those of an error slot in a frame's head by `error.` and their name.
fn offset(of: &str, field: &str) -> usize {
    let at = |of: &str, field: &str| {
        let found = layout(of).fields.iter().find(|known| known.name == field);
        found.unwrap_or_else(|| panic!("{of} has no {field}")).offset
    };
    match field.strip_prefix("error.") {
        Some(part) => at(of, "error") + at("ErrorSlot", part),
        None => at(of, field),
    }
}

/// What a constant of AssemblyScript's `abi.ts` has to be.
fn assemblyscript(namespace: &str, name: &str) -> u64 {
    match (namespace, name) {
        ("", "ABI") => ABI.into(),
        ("", "NO_ITEM") => ErrorSlot::NO_ITEM.into(),
        // No pool has it, and it is not the one that stands for a condition.
        ("", "NO_POOL") => u64::from(Record::CONDITION) - 1,
        ("Kind", "OPEN") => kind::OPEN.into(),
        ("Kind", "FLUSH") => kind::FLUSH.into(),
        ("Kind", "CLOSE") => kind::CLOSE.into(),
        ("Kind", "PING") => kind::PING.into(),
        ("Kind", "DESCRIBE") => kind::DESCRIBE.into(),
        ("Kind", "FLOW") => kind::FLOW.into(),
        ("Kind", "VERTEX") => kind::VERTEX.into(),
        ("About", "KIND") => about::KIND.into(),
        ("About", "FORM") => about::FORM.into(),
        ("About", "VALUE") => about::VALUE.into(),
        ("About", "NEEDS") => about::NEEDS.into(),
        ("About", "GATHER") => about::GATHER.into(),
        ("Phase", "START") => phase::START.into(),
        ("Phase", "UPDATE") => phase::UPDATE.into(),
        ("Phase", "AFTER") => phase::AFTER.into(),
        ("Phase", "INTERVAL") => phase::INTERVAL.into(),
        ("PoolEntry", "EMIT") => access::EMIT.into(),
        ("Query", "NOW") => as_of::NOW.into(),
        ("Missing", "NO_ROOM") => missing::NO_ROOM,
        ("Refusal", "HANDLER_MISSING") => refusal::HANDLER_MISSING.into(),
        ("Refusal", "CONSTRUCTOR_FAILED") => refusal::CONSTRUCTOR_FAILED.into(),
        (of, "SIZE") | (of @ "Record", "HEAD") => layout(of).size as u64,
        ("Head", "KIND") => offset("FrameHead", "kind") as u64,
        ("Head", part) => offset("FrameHead", &format!("error.{}", part.to_lowercase())) as u64,
        (of, field) => offset(of, &field.to_lowercase()) as u64,
    }
}

#[test]
fn every_number_of_assemblyscripts_driver_is_the_boundarys() {
    let source = source("assemblyscript/upcall/abi.ts");
    let (mut namespace, mut compared) = ("", 0);
    for line in source.lines() {
        if let Some(begun) = line.strip_prefix("export namespace ") {
            namespace = begun.trim_end_matches([' ', '{']);
        } else if line == "}" {
            namespace = "";
        } else if let Some(constant) = line.trim_start().strip_prefix("export const ") {
            let (name, rest) = constant.split_once(": ").unwrap();
            let value = rest.split_once(" = ").unwrap().1.trim_end_matches(';');
            let value: u64 = match value {
                "u32.MAX_VALUE" => u32::MAX.into(),
                "u32.MAX_VALUE - 1" => (u32::MAX - 1).into(),
                number => number.parse().unwrap_or_else(|_| panic!("{line}")),
            };
            assert_eq!(value, assemblyscript(namespace, name), "{namespace}.{name}");
            compared += 1;
        }
    }
    assert!(compared > 50, "{compared}");
}

/// The structs of C's `abi.h`.
const IN_C: [(&str, &str); 21] = [
    ("upcall_rel_", "Rel<u8>"),
    ("upcall_head_", "FrameHead"),
    ("upcall_output_", "Output"),
    ("upcall_item_", "Item"),
    ("upcall_progress_", "Progress"),
    ("upcall_flow_", "FlowFrame"),
    ("upcall_combine_", "CombineFrame"),
    ("upcall_edges_", "Edges"),
    ("upcall_tally", "VertexTally"),
    ("upcall_vertex_frame_", "VertexFrame"),
    ("upcall_describe_", "DescribeFrame"),
    ("upcall_pool_", "PoolEntry"),
    ("upcall_flow_open_", "FlowOpen"),
    ("upcall_combine_open_", "CombineOpen"),
    ("upcall_vertex_open_", "VertexOpen"),
    ("upcall_open", "OpenFrame"),
    ("upcall_setting_", "Setting"),
    ("upcall_record_", "Record"),
    ("upcall_name_", "HandlerName"),
    ("upcall_refusal_", "Refusal"),
    ("upcall_query_", "Query"),
];

/// What C's compiler is to find of a struct: its size, and where each field is.
fn asserted(in_c: &str, of: &str) -> Vec<String> {
    let Layout { size, fields, .. } = layout(of);
    let mut lines = vec![format!("UPCALL_SIZE_({in_c}, {size});")];
    let names = fields.iter().flat_map(|field| match field.name {
        "error" => layout("ErrorSlot").fields.iter().map(|part| format!("error.{}", part.name)).collect(),
        name => vec![name.to_owned()],
    });
    lines.extend(names.map(|name| {
        let in_c_too = match (of, name.as_str()) {
            ("Rel<u8>", "offset") => "at",
            ("FlowOpen", "pool_services") => "services",
            ("HandlerName", "class") => "name",
            (_, same) => same,
        };
        format!("UPCALL_FIELD_({in_c}, {in_c_too}, {});", offset(of, &name))
    }));
    lines
}

#[test]
fn every_field_of_cs_driver_is_where_the_boundary_has_it() {
    let source = source("c/guest/abi.h");
    let declared = source
        .lines()
        .filter(|line| line.starts_with("typedef struct") || line.starts_with("struct upcall_"));
    assert_eq!(declared.count(), IN_C.len(), "each struct is compared");
    let written: Vec<&str> = source
        .lines()
        .filter(|line| line.starts_with("UPCALL_SIZE_(") || line.starts_with("UPCALL_FIELD_("))
        .collect();
    let expected: Vec<String> = IN_C.iter().flat_map(|(in_c, of)| asserted(in_c, of)).collect();
    assert_eq!(written, expected);
}
