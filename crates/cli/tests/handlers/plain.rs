//! Handlers that are the same natively and in WebAssembly: the library's beside this file, and `../wasm`.

use crate::shapes::{Circle, Pair, Shape};
use std::collections::BTreeMap;
use upcall::{Emit, Failure, Handler, Object, Open, Packed, PoolId, TypedHandler};

pub type Done = Result<(), Failure>;

/// Makes ten objects of one, the numbers from 1, on three keys.
pub fn spread(_: Object<'_>, emit: &mut Emit<'_>) -> Done {
    for number in 1..=10 {
        emit.put(format!("k{}", number % 3).as_bytes(), number.to_string().as_bytes());
    }
    Ok(())
}

/// Emits, and then panics on the value `fail`.
pub fn raises(object: Object<'_>, emit: &mut Emit<'_>) -> Done {
    emit.put(object.key(), object.value());
    assert_ne!(object.value(), b"fail", "will not pass on {}", object.key_str());
    Ok(())
}

/// Emits, and then fails on the value `7`, the first time that it comes.
#[derive(Default)]
pub struct Seventh {
    failed: bool,
}

impl Handler for Seventh {
    fn on_object(&mut self, object: Object<'_>, emit: &mut Emit<'_>) -> Done {
        emit.put(object.key(), object.value());
        if object.value() == b"7" && !self.failed {
            self.failed = true;
            return Err(Failure::new("not the seventh"));
        }
        Ok(())
    }
}

/// Emits, and then emits to a pool that nobody declares if the value is `fail`.
pub fn strays(object: Object<'_>, emit: &mut Emit<'_>) -> Done {
    emit.put(object.key(), object.value());
    if object.value() == b"fail" {
        emit.put_to("/nowhere", object.key(), object.value());
    }
    Ok(())
}

/// Emits, and then emits a key that is not UTF-8 if the value is `fail`.
pub fn bad_key(object: Object<'_>, emit: &mut Emit<'_>) -> Done {
    emit.put(object.key(), object.value());
    if object.value() == b"fail" {
        emit.put(b"bad \xff", object.value());
    }
    Ok(())
}

/// Adds one to the number `sum` of its pool, on condition that it is what was read; of the value `fail`, that it is what
/// it never is. Says so in its second pool.
#[derive(Default)]
pub struct Adds {
    pools: Vec<PoolId>,
}

impl Handler for Adds {
    fn open(&mut self, open: &Open<'_>) -> Done {
        self.pools = vec![open.pool("/sums")?, open.pool("/out")?];
        Ok(())
    }

    fn on_object(&mut self, object: Object<'_>, emit: &mut Emit<'_>) -> Done {
        let [sums, out] = self.pools[..] else { return Ok(()) };
        emit.put_to(out, object.key(), object.value());
        let found = emit.read(sums, b"sum")?;
        let (sum, version) = match found {
            Some(found) => (found.value.try_into().map_or(0, u64::from_le_bytes), found.version),
            None => (0, 0),
        };
        let version = if object.value() == b"fail" { 1 << 40 } else { version };
        emit.of::<u64>().put_to_if(sums, b"sum", &(sum + 1), version);
        Ok(())
    }
}

/// Makes 100 objects of 1 MiB.
pub fn floods(_: Object<'_>, emit: &mut Emit<'_>) -> Done {
    let value = vec![b'x'; 1 << 20];
    for number in 0..100 {
        emit.put(number.to_string().as_bytes(), &value);
    }
    Ok(())
}

/// Makes an object of 0 bytes and one of 64 MiB.
pub fn sizes(_: Object<'_>, emit: &mut Emit<'_>) -> Done {
    emit.put(b"empty", b"");
    emit.put(b"large", &vec![b'x'; 64 << 20]);
    Ok(())
}

/// Emits of each value how many bytes of it are an `x`.
pub fn measures(object: Object<'_>, emit: &mut Emit<'_>) -> Done {
    let count = object.value().iter().filter(|byte| **byte == b'x').count() as u64;
    emit.put(object.key(), &count.to_le_bytes());
    Ok(())
}

/// Makes a million objects, each with a key of its own.
pub fn keys(_: Object<'_>, emit: &mut Emit<'_>) -> Done {
    for number in 0..1_000_000 {
        emit.put(number.to_string().as_bytes(), b"");
    }
    Ok(())
}

/// Emits at the end how many objects came.
#[derive(Default)]
pub struct Counts(u64);

impl Handler for Counts {
    fn on_object(&mut self, _: Object<'_>, _: &mut Emit<'_>) -> Done {
        self.0 += 1;
        Ok(())
    }

    fn flush(&mut self, emit: &mut Emit<'_>) -> Done {
        emit.put(b"objects", &self.0.to_le_bytes());
        Ok(())
    }
}

/// Makes two of one.
pub fn doubles(object: Object<'_>, emit: &mut Emit<'_>) -> Done {
    emit.put(object.key(), object.value());
    emit.put(b"more", object.value());
    Ok(())
}

/// Emits of each key all values that came, in the order in which they came.
#[derive(Default)]
pub struct Lists(BTreeMap<Vec<u8>, Vec<u8>>);

impl Handler for Lists {
    fn on_object(&mut self, object: Object<'_>, emit: &mut Emit<'_>) -> Done {
        let list = self.0.entry(object.key().to_vec()).or_default();
        list.push(b' ');
        list.extend_from_slice(object.value());
        emit.put(object.key(), list);
        Ok(())
    }
}

/// Makes a pair of two numbers of text.
pub fn pairs(object: Object<'_>, emit: &mut Emit<'_>) -> Done {
    let text = str::from_utf8(object.value()).map_err(|error| Failure::new(error.to_string()))?;
    let numbers: Vec<i32> = text.split(' ').filter_map(|number| number.parse().ok()).collect();
    let pair = Pair { one: numbers[0], other: numbers[1] };
    emit.of::<Packed<Pair<i32>>>().put(object.key(), &pair);
    Ok(())
}

/// Makes a pair of a shape, the other way round.
pub struct Turns;

impl TypedHandler for Turns {
    type In<'a> = Packed<Shape>;
    type Out = Packed<Pair<i32>>;

    fn on_value(&mut self, object: Object<'_>, shape: Shape, emit: &mut Emit<'_, Self::Out>) -> Done {
        let pair = match shape {
            Shape::Box(pair) => Pair { one: pair.other, other: pair.one },
            Shape::Circle(circle) => Pair { one: circle.radius as i32, other: 0 },
        };
        emit.put(object.key(), &pair);
        Ok(())
    }
}

/// Makes a shape of a pair, a circle where the other is 0.
pub struct Wraps;

impl TypedHandler for Wraps {
    type In<'a> = Packed<Pair<i32>>;
    type Out = Packed<Shape>;

    fn on_value(&mut self, object: Object<'_>, pair: Pair<i32>, emit: &mut Emit<'_, Self::Out>) -> Done {
        let shape = match pair.other {
            0 => Shape::Circle(Circle { radius: pair.one.into() }),
            _ => Shape::Box(pair),
        };
        emit.put(object.key(), &shape);
        Ok(())
    }
}

/// Makes text of a pair.
pub struct Shows;

impl TypedHandler for Shows {
    type In<'a> = Packed<Pair<i32>>;
    type Out = str;

    fn on_value(&mut self, object: Object<'_>, pair: Pair<i32>, emit: &mut Emit<'_, str>) -> Done {
        emit.put(object.key(), &format!("{} {}", pair.one, pair.other));
        Ok(())
    }
}
