use upcall_derive::Soa;

struct Opaque;

#[derive(Soa)]
#[soa(crate = upcall_soa)]
struct Row {
    opaque: Opaque,
}

fn main() {
    let rows = RowSoaVec::new();
    let _ = rows.clone();
    let _ = rows == rows;
    let _ = format!("{rows:?}");
}
