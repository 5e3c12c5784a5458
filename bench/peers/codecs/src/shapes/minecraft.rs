//! `minecraft_savedata`: 500 players of a game, a deep tree of small values.

use super::generate::{Generate, list, source, word};
use super::{borrowed, owned};
use rand::Rng;
use std::ops::Range;

owned! {
    #[derive(Copy)]
    #[repr(u8)]
    pub enum GameType {
        Survival,
        Creative,
        Adventure,
        Spectator,
    }

    pub struct Item {
        pub count: i8,
        pub slot: u8,
        pub id: String,
    }

    #[derive(Copy)]
    #[repr(C)]
    #[pack(raw)]
    pub struct Abilities {
        pub walk_speed: f32,
        pub fly_speed: f32,
        pub may_fly: bool,
        pub flying: bool,
        pub invulnerable: bool,
        pub may_build: bool,
        pub instabuild: bool,
    }

    pub struct Entity {
        pub id: String,
        pub pos: (f64, f64, f64),
        pub motion: (f64, f64, f64),
        pub rotation: (f32, f32),
        pub fall_distance: f32,
        pub fire: u16,
        pub air: u16,
        pub on_ground: bool,
        pub no_gravity: bool,
        pub invulnerable: bool,
        pub portal_cooldown: i32,
        pub uuid: [u32; 4],
        pub custom_name: Option<String>,
        pub custom_name_visible: bool,
        pub silent: bool,
        pub glowing: bool,
    }

    pub struct RecipeBook {
        pub recipes: Vec<String>,
        pub to_be_displayed: Vec<String>,
        pub is_filtering_craftable: bool,
        pub is_gui_open: bool,
        pub is_furnace_filtering_craftable: bool,
        pub is_furnace_gui_open: bool,
        pub is_blasting_furnace_filtering_craftable: bool,
        pub is_blasting_furnace_gui_open: bool,
        pub is_smoker_filtering_craftable: bool,
        pub is_smoker_gui_open: bool,
    }

    pub struct Player {
        pub game_type: GameType,
        pub previous_game_type: GameType,
        pub score: i64,
        pub dimension: String,
        pub selected_item_slot: u32,
        pub selected_item: Item,
        pub spawn_dimension: Option<String>,
        pub spawn_x: i64,
        pub spawn_y: i64,
        pub spawn_z: i64,
        pub spawn_forced: Option<bool>,
        pub sleep_timer: u16,
        pub food_exhaustion_level: f32,
        pub food_saturation_level: f32,
        pub food_tick_timer: u32,
        pub xp_level: u32,
        pub xp_p: f32,
        pub xp_total: i32,
        pub xp_seed: i32,
        pub inventory: Vec<Item>,
        pub ender_items: Vec<Item>,
        pub abilities: Abilities,
        pub entered_nether_position: Option<(f64, f64, f64)>,
        pub root_vehicle: Option<([u32; 4], Entity)>,
        pub shoulder_entity_left: Option<Entity>,
        pub shoulder_entity_right: Option<Entity>,
        pub seen_credits: bool,
        pub recipe_book: RecipeBook,
    }

    pub struct Players {
        pub players: Vec<Player>,
    }
}

borrowed! {
    pub struct BorrowedItem<'a> {
        pub count: i8,
        pub slot: u8,
        pub id: &'a str,
    }

    pub struct BorrowedEntity<'a> {
        pub id: &'a str,
        pub pos: (f64, f64, f64),
        pub motion: (f64, f64, f64),
        pub rotation: (f32, f32),
        pub fall_distance: f32,
        pub fire: u16,
        pub air: u16,
        pub on_ground: bool,
        pub no_gravity: bool,
        pub invulnerable: bool,
        pub portal_cooldown: i32,
        pub uuid: [u32; 4],
        pub custom_name: Option<&'a str>,
        pub custom_name_visible: bool,
        pub silent: bool,
        pub glowing: bool,
    }

    pub struct BorrowedRecipeBook<'a> {
        #[serde(borrow)]
        pub recipes: Vec<&'a str>,
        pub to_be_displayed: Vec<&'a str>,
        pub is_filtering_craftable: bool,
        pub is_gui_open: bool,
        pub is_furnace_filtering_craftable: bool,
        pub is_furnace_gui_open: bool,
        pub is_blasting_furnace_filtering_craftable: bool,
        pub is_blasting_furnace_gui_open: bool,
        pub is_smoker_filtering_craftable: bool,
        pub is_smoker_gui_open: bool,
    }

    pub struct BorrowedPlayer<'a> {
        pub game_type: GameType,
        pub previous_game_type: GameType,
        pub score: i64,
        pub dimension: &'a str,
        pub selected_item_slot: u32,
        #[serde(borrow)]
        pub selected_item: BorrowedItem<'a>,
        pub spawn_dimension: Option<&'a str>,
        pub spawn_x: i64,
        pub spawn_y: i64,
        pub spawn_z: i64,
        pub spawn_forced: Option<bool>,
        pub sleep_timer: u16,
        pub food_exhaustion_level: f32,
        pub food_saturation_level: f32,
        pub food_tick_timer: u32,
        pub xp_level: u32,
        pub xp_p: f32,
        pub xp_total: i32,
        pub xp_seed: i32,
        #[serde(borrow)]
        pub inventory: Vec<BorrowedItem<'a>>,
        #[serde(borrow)]
        pub ender_items: Vec<BorrowedItem<'a>>,
        pub abilities: Abilities,
        pub entered_nether_position: Option<(f64, f64, f64)>,
        #[serde(borrow)]
        pub root_vehicle: Option<([u32; 4], BorrowedEntity<'a>)>,
        #[serde(borrow)]
        pub shoulder_entity_left: Option<BorrowedEntity<'a>>,
        #[serde(borrow)]
        pub shoulder_entity_right: Option<BorrowedEntity<'a>>,
        pub seen_credits: bool,
        #[serde(borrow)]
        pub recipe_book: BorrowedRecipeBook<'a>,
    }

    pub struct BorrowedPlayers<'a> {
        #[serde(borrow)]
        pub players: Vec<BorrowedPlayer<'a>>,
    }
}

/// The shape's value.
pub fn value() -> Players {
    Players { players: list(&mut source(), 500..501) }
}

impl Generate for GameType {
    fn generate<R: Rng>(rng: &mut R) -> Self {
        use GameType::*;
        // Drawn as an i32: the width decides what comes next.
        [Survival, Creative, Adventure, Spectator][rng.gen_range(0..4i32) as usize]
    }
}

impl Generate for Item {
    fn generate<R: Rng>(rng: &mut R) -> Self {
        const IDS: [&str; 8] =
            ["dirt", "stone", "pickaxe", "sand", "gravel", "shovel", "chestplate", "steak"];
        Self { count: rng.r#gen(), slot: rng.r#gen(), id: word(rng, &IDS) }
    }
}

impl Generate for Abilities {
    fn generate<R: Rng>(rng: &mut R) -> Self {
        Self {
            walk_speed: rng.r#gen(),
            fly_speed: rng.r#gen(),
            may_fly: rng.gen_bool(0.5),
            flying: rng.gen_bool(0.5),
            invulnerable: rng.gen_bool(0.5),
            may_build: rng.gen_bool(0.5),
            instabuild: rng.gen_bool(0.5),
        }
    }
}

impl Generate for Entity {
    fn generate<R: Rng>(rng: &mut R) -> Self {
        const IDS: [&str; 8] = ["cow", "sheep", "zombie", "skeleton", "spider", "creeper", "parrot", "bee"];
        const CUSTOM_NAMES: [&str; 8] =
            ["rainbow", "princess", "steve", "johnny", "missy", "coward", "fairy", "howard"];

        Self {
            id: word(rng, &IDS),
            pos: Generate::generate(rng),
            motion: Generate::generate(rng),
            rotation: Generate::generate(rng),
            fall_distance: rng.r#gen(),
            fire: rng.r#gen(),
            air: rng.r#gen(),
            on_ground: rng.gen_bool(0.5),
            no_gravity: rng.gen_bool(0.5),
            invulnerable: rng.gen_bool(0.5),
            portal_cooldown: rng.r#gen(),
            uuid: Generate::generate(rng),
            custom_name: rng.gen_bool(0.5).then(|| word(rng, &CUSTOM_NAMES)),
            custom_name_visible: rng.gen_bool(0.5),
            silent: rng.gen_bool(0.5),
            glowing: rng.gen_bool(0.5),
        }
    }
}

impl Generate for RecipeBook {
    fn generate<R: Rng>(rng: &mut R) -> Self {
        const RECIPES: [&str; 8] =
            ["pickaxe", "torch", "bow", "crafting table", "furnace", "shears", "arrow", "tnt"];
        Self {
            recipes: words(rng, 0..30, &RECIPES),
            to_be_displayed: words(rng, 0..10, &RECIPES),
            is_filtering_craftable: rng.gen_bool(0.5),
            is_gui_open: rng.gen_bool(0.5),
            is_furnace_filtering_craftable: rng.gen_bool(0.5),
            is_furnace_gui_open: rng.gen_bool(0.5),
            is_blasting_furnace_filtering_craftable: rng.gen_bool(0.5),
            is_blasting_furnace_gui_open: rng.gen_bool(0.5),
            is_smoker_filtering_craftable: rng.gen_bool(0.5),
            is_smoker_gui_open: rng.gen_bool(0.5),
        }
    }
}

impl Generate for Player {
    fn generate<R: Rng>(rng: &mut R) -> Self {
        const DIMENSIONS: [&str; 3] = ["overworld", "nether", "end"];
        Self {
            game_type: GameType::generate(rng),
            previous_game_type: GameType::generate(rng),
            score: rng.r#gen(),
            dimension: word(rng, &DIMENSIONS),
            selected_item_slot: rng.r#gen(),
            selected_item: Item::generate(rng),
            spawn_dimension: rng.gen_bool(0.5).then(|| word(rng, &DIMENSIONS)),
            spawn_x: rng.r#gen(),
            spawn_y: rng.r#gen(),
            spawn_z: rng.r#gen(),
            spawn_forced: Generate::generate(rng),
            sleep_timer: rng.r#gen(),
            food_exhaustion_level: rng.r#gen(),
            food_saturation_level: rng.r#gen(),
            food_tick_timer: rng.r#gen(),
            xp_level: rng.r#gen(),
            xp_p: rng.r#gen(),
            xp_total: rng.r#gen(),
            xp_seed: rng.r#gen(),
            inventory: list(rng, 0..40),
            ender_items: list(rng, 0..27),
            abilities: Abilities::generate(rng),
            entered_nether_position: Generate::generate(rng),
            root_vehicle: Generate::generate(rng),
            shoulder_entity_left: Generate::generate(rng),
            shoulder_entity_right: Generate::generate(rng),
            seen_credits: rng.gen_bool(0.5),
            recipe_book: RecipeBook::generate(rng),
        }
    }
}

fn words<R: Rng>(rng: &mut R, length: Range<usize>, words: &[&str]) -> Vec<String> {
    list::<_, ()>(rng, length).iter().map(|()| word(rng, words)).collect()
}

/// `minecraft_savedata` with borrowed text.
pub struct Borrowing;

impl crate::codecs::Borrowing for Borrowing {
    type Owned = Players;
    type Borrowed<'a> = BorrowedPlayers<'a>;
}
