//! Prints sender, pool, key and value of each object.

use upcall::{Emit, Object};

upcall::handlers! { "printer" => |object: Object<'_>, _: &mut Emit<'_>| {
    let value = String::from_utf8_lossy(object.value());
    println!("{} {} {} {value}", object.sender_name(), object.pool_path(), object.key_str());
    Ok(())
} }
