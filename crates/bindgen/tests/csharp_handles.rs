//! Handles, results by address, memory with its length, and text of a library in C, as C# shows them.
#![cfg(feature = "c")]

use bindgen_tests::compiler;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use upcall_bindgen::Diagnostics;
use upcall_bindgen::c::{self, Input};
use upcall_bindgen::csharp::{Options, generate};

const HEADER: &str = "
#include <stddef.h>
#include <stdint.h>
#define SHELF_FULL 3
typedef struct shelf shelf;
typedef struct shelf_size { int rows_made; double weight; } shelf_size;
enum shelf_kind { SHELF_OPEN_ONE, SHELF_GLASS };
/* Gives a shelf even where it fails. */
int shelf_open(const char *name, shelf **made);
shelf *shelf_make(int books);
void shelf_close(shelf *it);
int shelf_closed(void);
shelf *shelf_next(shelf *it);
int shelf_books(shelf *it, int *books, shelf_size *size);
const char *shelf_name(const shelf *it);
int shelf_names(shelf *it, const char **first, const unsigned char **second);
int shelf_each(shelf *it, int (*visit)(const char *title));
uint32_t shelf_sum(const uint8_t *data, size_t data_size);
uint32_t shelf_hash(const void *memory, size_t len);
void shelf_fill(void *room, size_t room_len, uint8_t with);
int shelf_resize(void *room, size_t size);
uint32_t shelf_write(const void *items, size_t item_size, size_t count);
/* The books of several, each. */
int shelf_total(shelf **all, int count);
";

const SOURCE: &str = r#"
#include "shelf.h"
#include <stdlib.h>
#include <string.h>
struct shelf { int books; };
static int closed;
int shelf_open(const char *name, shelf **made) { *made = shelf_make((int)strlen(name)); return strlen(name) > 5 ? SHELF_FULL : 0; }
shelf *shelf_make(int books) { shelf *it = malloc(sizeof *it); it->books = books; return books < 0 ? (free(it), NULL) : it; }
void shelf_close(shelf *it) { closed++; free(it); }
int shelf_closed(void) { return closed; }
shelf *shelf_next(shelf *it) { return it; }
int shelf_books(shelf *it, int *books, shelf_size *size) { *books += it->books; size->rows_made = 2; size->weight = 0.5; return 0; }
const char *shelf_name(const shelf *it) { return it->books ? "größer" : NULL; }
int shelf_names(shelf *it, const char **first, const unsigned char **second) { *first = "one"; *second = (const unsigned char *)"two"; return it->books; }
int shelf_each(shelf *it, int (*visit)(const char *title)) { return visit ? visit("a title") + it->books : -1; }
uint32_t shelf_sum(const uint8_t *data, size_t data_size) { uint32_t sum = 0; while (data_size) sum += data[--data_size]; return sum; }
uint32_t shelf_hash(const void *memory, size_t len) { return shelf_sum(memory, len) + 1; }
void shelf_fill(void *room, size_t room_len, uint8_t with) { if (room_len) memset(room, with, room_len); }
int shelf_resize(void *room, size_t size) { return room == NULL && size == 7; }
uint32_t shelf_write(const void *items, size_t item_size, size_t count) { return shelf_sum(items, item_size * count); }
int shelf_total(shelf **all, int count) { int books = 0; while (count) books += all[--count]->books; return books; }
"#;

const PROGRAM: &str = r#"
using System;
using Shelves;
using static Shelves.NativeMethods;

internal static unsafe class Program
{
    private static void Is<T>(string what, T expected, T found)
    {
        if (!Equals(expected, found)) throw new InvalidOperationException($"{what}: expected {expected}, found {found}");
    }

    private static void Main()
    {
        Is("a constant", 3, Full);
        Is("variants", 1, (int)Kind.Glass);
        Is("one that fails", Full, Api.Open("too long", out Bookshelf? full));
        full!.Dispose();
        full.Dispose();
        Is("closed once", 1, Api.Closed());
        try { full.Next(); throw new InvalidOperationException("a closed shelf was used"); }
        catch (ObjectDisposedException closed) { Is("which", "Bookshelf", closed.ObjectName); }
        Forgotten();
        for (int round = 0; round < 3; round++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
        Is("what is only borrowed is not closed", 1, Api.Closed());
        using (Bookshelf shelf = Api.Make(4)!)
        {
            int books = 10;
            Size size = default;
            shelf.Books(ref books, ref size);
            Is("written", (14, 2, 0.5), (books, size.RowsMade, size.Weight));
            shelf.Names(out byte* first, out byte* second);
            Is("texts", "one tw", $"{NativeText.At(first)} {NativeText.At(second, 2)}");
            Is("text", "größer", NativeText.At(shelf.Name()));
            Is("no text", null, NativeText.At((byte*)null, 5));
            string? heard = null;
            Is("called", 5, shelf.Each(title => { heard = NativeText.At(title); return 1; }));
            Is("heard", "a title", heard);
            Is("the library's own function", -1, shelf.Each((EachVisitCallback?)null));
            using EachVisitCallback own = new((nint)(delegate* unmanaged[Cdecl]<byte*, int>)&Native);
            Is("a native function", 11, shelf.Each(own));
        }
        Is("closed", 2, Api.Closed());
        Is("none", null, Api.Make(-1));
        Is("sum", 6u, Api.Sum(new byte[] { 1, 2, 3 }));
        Is("nothing", 0u, Api.Sum(default));
        Is("hash", 7u, Api.Hash(stackalloc byte[] { 1, 2, 3 }));
        byte[] room = new byte[3];
        Api.Fill(room.AsSpan(1), 9);
        Is("fill", "0 9 9", string.Join(' ', room));
        // Names that do not say so for certain: only the addresses.
        Is("resize", 1, shelf_resize(null, 7));
        fixed (byte* items = room) Is("write", 18u, shelf_write(items, 1, 3));
        Console.WriteLine("fine");
    }

    private static void Forgotten()
    {
        Api.Open("short", out Bookshelf? shelf);
        shelf!.Next();
    }

    [System.Runtime.InteropServices.UnmanagedCallersOnly(CallConvs = new[] { typeof(System.Runtime.CompilerServices.CallConvCdecl) })]
    private static int Native(byte* title) => NativeText.At(title)!.Length;
}
"#;

fn options() -> Options {
    let named = |name: &str, other: &str| BTreeMap::from([(name.to_owned(), other.to_owned())]);
    Options {
        namespace: "Shelves".into(),
        prefixes: vec!["shelf_".into(), "SHELF_".into()],
        released: named("shelf", "shelf_close"),
        rename: named("shelf", "Bookshelf"),
        methods: true,
        ..Options::default()
    }
}

fn made(folder: &Path, options: &Options) -> (Vec<PathBuf>, Diagnostics) {
    let at = |name: &str| folder.join(name);
    for (name, text) in [("shelf.h", HEADER), ("shelf.c", SOURCE), ("Main.cs", PROGRAM)] {
        fs::write(at(name), text).unwrap();
    }
    let mut diagnostics = Diagnostics::default();
    let input = Input { library: "shelf".into(), headers: vec![at("shelf.h")], ..Input::default() };
    let api = c::read(&input, &mut diagnostics).unwrap_or_else(|| panic!("{}", diagnostics.render(false)));
    let files = generate(&api, options, &mut diagnostics);
    fs::write(at("Shelf.g.cs"), &files[0].text).unwrap();
    (vec![at("Shelf.g.cs"), at("Main.cs")], diagnostics)
}

#[test]
fn a_library_in_c_reads_like_one_of_csharp() {
    let folder = tempfile::tempdir().unwrap();
    let (sources, diagnostics) = made(folder.path(), &options());
    assert_eq!(diagnostics.list, []);
    let mut gcc = std::process::Command::new("gcc");
    gcc.args(["-shared", "-fPIC", "-o", "libshelf.so", "shelf.c"]).current_dir(folder.path());
    assert!(gcc.status().unwrap().success());
    let program = compiler::compile(folder.path(), "program", "exe", &sources);
    let (code, said) = compiler::run(&program.unwrap_or_else(|said| panic!("{said}")));
    assert_eq!((code, said.as_str()), (Some(0), "fine\n"));
}

#[test]
fn several_objects_are_not_offered_as_one_and_the_namespace_is_not_a_types_name() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { namespace: String::new(), rename: BTreeMap::new(), ..options() };
    let (sources, _) = made(folder.path(), &options);
    let text = fs::read_to_string(&sources[0]).unwrap();
    assert!(text.contains("out Shelf? made") && !text.contains("Shelf? all"), "{text}");
    assert!(text.contains("namespace ShelfNative") && text.contains("class Shelf "), "{text}");
}

#[test]
fn what_cannot_release_a_handle_is_an_error() {
    for release in ["shelf_closed", "shelf_nothing", "shelf_books"] {
        let folder = tempfile::tempdir().unwrap();
        let released = BTreeMap::from([("shelf".into(), release.into())]);
        let (_, diagnostics) = made(folder.path(), &Options { released, ..options() });
        let said = diagnostics.render(false);
        let expected = format!("`{release}` cannot release `shelf`");
        assert!(diagnostics.failed() && said.contains(&expected) && said.contains("[csharp]"), "{said}");
    }
}
