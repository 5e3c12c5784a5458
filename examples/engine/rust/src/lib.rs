//! The greatest of each column, in Rust.

upcall::handlers! { "peaks" => upcall::combine(|from: &[f64], into: &mut [f64]| {
    for (into, from) in into.iter_mut().zip(from) {
        *into = into.max(*from);
    }
    Ok(())
}) }
