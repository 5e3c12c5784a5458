//! A swarm in columns, which other languages read and write where they lie.

use upcall::{Blit, Soa};

/// Where something is.
#[derive(Clone, Copy, Blit)]
#[repr(C)]
pub struct Place {
    pub row: i32,
    pub column: i32,
}

/// What drives something.
#[derive(Soa)]
#[soa(spans)]
pub struct Engine {
    /// How hard it pushes.
    pub thrust: f64,
}

/// One of a swarm.
#[derive(Soa)]
#[soa(spans)]
pub struct Body {
    /// How fast it goes.
    pub speed: f32,
    /// Which one it is.
    pub id: u64,
    pub place: Place,
    /// Its corners.
    pub corners: [[i16; 2]; 4],
    #[soa(flatten)]
    pub engine: Engine,
}

/// Many of them.
pub struct Bodies(BodySoaVec);

#[upcall::export]
impl Bodies {
    /// So many.
    pub fn new(count: u32) -> Bodies {
        let body = |index: u32| Body {
            speed: index as f32,
            id: u64::from(index) << 33,
            place: Place { row: index as i32, column: -1 },
            corners: [[index as i16, -1]; 4],
            engine: Engine { thrust: 0.5 },
        };
        Bodies((0..count).map(body).collect())
    }

    /// The columns, which may be used until the swarm is released.
    pub fn columns(&mut self) -> BodySpans {
        self.0.spans()
    }

    /// What the columns hold.
    pub fn total(&self) -> f64 {
        let of = |body: BodyRef<'_>| f64::from(*body.speed) + body.engine.thrust + f64::from(body.place.column);
        self.0.iter().map(of).sum()
    }
}
