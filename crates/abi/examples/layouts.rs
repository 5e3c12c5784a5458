//! Prints every struct of the boundary, one field per line, for the tests that compare the mirrors in other
//! languages with it: `struct NAME SIZE ALIGN`, then `field NAME OFFSET`.

fn main() {
    for layout in upcall_abi::layouts() {
        println!("struct {} {} {}", layout.name, layout.size, layout.align);
        for field in layout.fields {
            println!("field {} {}", field.name, field.offset);
        }
    }
}
