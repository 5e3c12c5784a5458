//! `mk48`: 1,000 updates of a game's server, small numbers and short lists.

use super::generate::{Generate, list, source};
use super::owned;
use rand::Rng;

owned! {
    #[derive(Copy, Eq)]
    #[repr(u8)]
    pub enum EntityType {
        ArleighBurke,
        Bismarck,
        Clemenceau,
        Fletcher,
        G5,
        Iowa,
        Kolkata,
        Osa,
        Yasen,
        Zubr,
    }

    #[derive(Copy)]
    #[repr(C)]
    #[pack(raw)]
    pub struct Transform {
        pub altitude: i8,
        pub angle: u16,
        pub position: (f32, f32),
        pub velocity: i16,
    }

    #[derive(Copy)]
    #[repr(C)]
    #[pack(raw)]
    pub struct Guidance {
        pub angle: u16,
        pub submerge: bool,
        pub velocity: i16,
    }

    pub struct Contact {
        pub damage: u8,
        pub entity_id: u32,
        pub entity_type: Option<EntityType>,
        pub guidance: Guidance,
        pub player_id: Option<u16>,
        pub reloads: Vec<bool>,
        pub transform: Transform,
        pub turret_angles: Vec<u16>,
    }

    pub struct TerrainUpdate {
        pub chunk_id: (i8, i8),
        pub data: Vec<u8>,
    }

    pub struct Update {
        pub contacts: Vec<Contact>,
        pub score: u32,
        pub world_radius: f32,
        pub terrain_updates: Vec<TerrainUpdate>,
    }

    pub struct Updates {
        pub updates: Vec<Update>,
    }
}

/// The shape's value.
pub fn value() -> Updates {
    Updates { updates: list(&mut source(), 1_000..1_001) }
}

impl EntityType {
    fn frequency(self) -> f32 {
        use EntityType::*;
        match self {
            ArleighBurke => 2.14,
            Bismarck => 0.52,
            Clemenceau => 0.97,
            Fletcher => 1.46,
            G5 => 13.16,
            Iowa => 1.55,
            Kolkata => 0.83,
            Osa => 7.25,
            Yasen => 4.06,
            Zubr => 12.92,
        }
    }

    fn is_sub(self) -> bool {
        matches!(self, Self::Yasen)
    }

    fn turret_count(self) -> usize {
        use EntityType::*;
        match self {
            ArleighBurke => 1,
            Bismarck => 4,
            Clemenceau => 4,
            Fletcher => 4,
            G5 => 0,
            Iowa => 3,
            Kolkata => 1,
            Osa => 2,
            Yasen => 0,
            Zubr => 3,
        }
    }

    fn weapon_count(self) -> usize {
        use EntityType::*;
        match self {
            ArleighBurke => 20,
            Bismarck => 10,
            Clemenceau => 16,
            Fletcher => 18,
            G5 => 2,
            Iowa => 28,
            Kolkata => 15,
            Osa => 6,
            Yasen => 14,
            Zubr => 11,
        }
    }
}

impl Generate for EntityType {
    fn generate<R: Rng>(rng: &mut R) -> Self {
        use EntityType::*;
        const ENTITY_TYPES: [EntityType; 10] =
            [ArleighBurke, Bismarck, Clemenceau, Fletcher, G5, Iowa, Kolkata, Osa, Yasen, Zubr];

        let index = rand::distributions::WeightedIndex::new(ENTITY_TYPES.map(EntityType::frequency))
            .expect("ten weights above zero");
        ENTITY_TYPES[rng.sample(index)]
    }
}

fn generate_submerge(rng: &mut impl Rng, entity_type: EntityType) -> bool {
    entity_type.is_sub() && rng.gen_bool(0.9)
}

fn generate_altitude(rng: &mut impl Rng, entity_type: EntityType) -> i8 {
    if generate_submerge(rng, entity_type) { rng.gen_range(-120..-35) } else { 0 }
}

fn generate_velocity(rng: &mut impl Rng) -> i16 {
    const MIN_SPEED: i16 = 140;
    const MAX_SPEED: i16 = 900;
    const REVERSE_SLOW: i16 = 4;

    match rng.gen_range(0..100) {
        0..=79 => rng.gen_range(MIN_SPEED..MAX_SPEED),
        80..=89 => 0,
        _ => rng.gen_range((-MAX_SPEED / REVERSE_SLOW)..(-MIN_SPEED / REVERSE_SLOW)),
    }
}

impl Transform {
    fn generate<R: Rng>(rng: &mut R, entity_type: EntityType) -> Self {
        const RANGE: f32 = 750.0;
        Self {
            altitude: generate_altitude(rng, entity_type),
            angle: rng.r#gen(),
            position: (rng.gen_range(-RANGE..RANGE), rng.gen_range(-RANGE..RANGE)),
            velocity: generate_velocity(rng),
        }
    }
}

impl Guidance {
    fn generate<R: Rng>(rng: &mut R, entity_type: EntityType) -> Self {
        Self {
            angle: rng.r#gen(),
            submerge: generate_submerge(rng, entity_type),
            velocity: generate_velocity(rng),
        }
    }
}

impl Contact {
    fn generate<R: Rng>(rng: &mut R, player_count: u16) -> Self {
        let entity_count = player_count as u32 * 20;
        let entity_type = Generate::generate(rng);
        let is_visible = rng.gen_bool(0.7);

        Self {
            damage: if is_visible && rng.gen_bool(0.6) { 0 } else { rng.gen_range(0..200) },
            entity_id: rng.gen_range(0..entity_count),
            entity_type: is_visible.then_some(entity_type),
            guidance: Guidance::generate(rng, entity_type),
            player_id: is_visible.then(|| rng.gen_range(0..player_count)),
            reloads: if is_visible {
                let p = rng.gen_range(0.0..1.0);
                (0..entity_type.weapon_count()).map(|_| rng.gen_bool(p)).collect()
            } else {
                Default::default()
            },
            transform: Transform::generate(rng, entity_type),
            turret_angles: if is_visible {
                let base_angle: u16 = rng.r#gen();
                (0..entity_type.turret_count())
                    .map(|_| {
                        if rng.gen_bool(0.75) {
                            (base_angle as i16).wrapping_add(rng.gen_range(-200..200)) as u16
                        } else {
                            rng.r#gen()
                        }
                    })
                    .collect()
            } else {
                Default::default()
            },
        }
    }
}

impl TerrainUpdate {
    fn generate<R: Rng>(rng: &mut R, radius: i8) -> Self {
        let is_new = rng.gen_bool(0.02);

        Self {
            chunk_id: (rng.gen_range(-radius..radius), rng.gen_range(-radius..radius)),
            data: list(rng, if is_new { 900..1100 } else { 3..9 }),
        }
    }
}

impl Generate for Update {
    fn generate<R: Rng>(rng: &mut R) -> Self {
        let player_count = rng.gen_range(200..400) as u16;
        let world_radius = (player_count as f32 * 15000.0).sqrt() + rng.gen_range(-50.0..50.0);
        let terrain_radius = (world_radius / 1600.0).ceil() as i8;

        Self {
            contacts: (0..rng.gen_range(20..40)).map(|_| Contact::generate(rng, player_count)).collect(),
            score: (rng.r#gen::<f32>().powi(4) * 5000.0) as u32 + rng.gen_range(0..50),
            world_radius,
            terrain_updates: (0..rng.gen_range(3..10))
                .map(|_| TerrainUpdate::generate(rng, terrain_radius))
                .collect(),
        }
    }
}
