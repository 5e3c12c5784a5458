//! The messages of `minecraft_savedata`, as prost-build makes them from the public benchmark's schema.

use crate::shapes::minecraft;
use prost::Message;

#[derive(Clone, PartialEq, Message)]
pub struct Item {
    #[prost(int32, tag = "1")]
    pub count: i32,
    #[prost(uint32, tag = "2")]
    pub slot: u32,
    #[prost(string, tag = "3")]
    pub id: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct Abilities {
    #[prost(float, tag = "1")]
    pub walk_speed: f32,
    #[prost(float, tag = "2")]
    pub fly_speed: f32,
    #[prost(bool, tag = "3")]
    pub may_fly: bool,
    #[prost(bool, tag = "4")]
    pub flying: bool,
    #[prost(bool, tag = "5")]
    pub invulnerable: bool,
    #[prost(bool, tag = "6")]
    pub may_build: bool,
    #[prost(bool, tag = "7")]
    pub instabuild: bool,
}

#[derive(Clone, PartialEq, Message)]
pub struct Vector3d {
    #[prost(double, tag = "1")]
    pub x: f64,
    #[prost(double, tag = "2")]
    pub y: f64,
    #[prost(double, tag = "3")]
    pub z: f64,
}

#[derive(Clone, PartialEq, Message)]
pub struct Vector2f {
    #[prost(float, tag = "1")]
    pub x: f32,
    #[prost(float, tag = "2")]
    pub y: f32,
}

#[derive(Clone, PartialEq, Message)]
pub struct Uuid {
    #[prost(uint32, tag = "1")]
    pub x0: u32,
    #[prost(uint32, tag = "2")]
    pub x1: u32,
    #[prost(uint32, tag = "3")]
    pub x2: u32,
    #[prost(uint32, tag = "4")]
    pub x3: u32,
}

#[derive(Clone, PartialEq, Message)]
pub struct Entity {
    #[prost(string, tag = "1")]
    pub id: String,
    #[prost(message, optional, tag = "2")]
    pub pos: Option<Vector3d>,
    #[prost(message, optional, tag = "3")]
    pub motion: Option<Vector3d>,
    #[prost(message, optional, tag = "4")]
    pub rotation: Option<Vector2f>,
    #[prost(float, tag = "5")]
    pub fall_distance: f32,
    #[prost(uint32, tag = "6")]
    pub fire: u32,
    #[prost(uint32, tag = "7")]
    pub air: u32,
    #[prost(bool, tag = "8")]
    pub on_ground: bool,
    #[prost(bool, tag = "9")]
    pub no_gravity: bool,
    #[prost(bool, tag = "10")]
    pub invulnerable: bool,
    #[prost(int32, tag = "11")]
    pub portal_cooldown: i32,
    #[prost(message, optional, tag = "12")]
    pub uuid: Option<Uuid>,
    #[prost(string, optional, tag = "13")]
    pub custom_name: Option<String>,
    #[prost(bool, tag = "14")]
    pub custom_name_visible: bool,
    #[prost(bool, tag = "15")]
    pub silent: bool,
    #[prost(bool, tag = "16")]
    pub glowing: bool,
}

#[derive(Clone, PartialEq, Message)]
pub struct RecipeBook {
    #[prost(string, repeated, tag = "1")]
    pub recipes: Vec<String>,
    #[prost(string, repeated, tag = "2")]
    pub to_be_displayed: Vec<String>,
    #[prost(bool, tag = "3")]
    pub is_filtering_craftable: bool,
    #[prost(bool, tag = "4")]
    pub is_gui_open: bool,
    #[prost(bool, tag = "5")]
    pub is_furnace_filtering_craftable: bool,
    #[prost(bool, tag = "6")]
    pub is_furnace_gui_open: bool,
    #[prost(bool, tag = "7")]
    pub is_blasting_furnace_filtering_craftable: bool,
    #[prost(bool, tag = "8")]
    pub is_blasting_furnace_gui_open: bool,
    #[prost(bool, tag = "9")]
    pub is_smoker_filtering_craftable: bool,
    #[prost(bool, tag = "10")]
    pub is_smoker_gui_open: bool,
}

#[derive(Clone, PartialEq, Message)]
pub struct Vehicle {
    #[prost(message, optional, tag = "1")]
    pub uuid: Option<Uuid>,
    #[prost(message, optional, tag = "2")]
    pub entity: Option<Entity>,
}

#[derive(Clone, PartialEq, Message)]
pub struct Player {
    #[prost(int32, tag = "1")]
    pub game_type: i32,
    #[prost(int32, tag = "2")]
    pub previous_game_type: i32,
    #[prost(int64, tag = "3")]
    pub score: i64,
    #[prost(string, tag = "4")]
    pub dimension: String,
    #[prost(uint32, tag = "5")]
    pub selected_item_slot: u32,
    #[prost(message, optional, tag = "6")]
    pub selected_item: Option<Item>,
    #[prost(string, optional, tag = "7")]
    pub spawn_dimension: Option<String>,
    #[prost(int64, tag = "8")]
    pub spawn_x: i64,
    #[prost(int64, tag = "9")]
    pub spawn_y: i64,
    #[prost(int64, tag = "10")]
    pub spawn_z: i64,
    #[prost(bool, optional, tag = "11")]
    pub spawn_forced: Option<bool>,
    #[prost(uint32, tag = "12")]
    pub sleep_timer: u32,
    #[prost(float, tag = "13")]
    pub food_exhaustion_level: f32,
    #[prost(float, tag = "14")]
    pub food_saturation_level: f32,
    #[prost(uint32, tag = "15")]
    pub food_tick_timer: u32,
    #[prost(uint32, tag = "16")]
    pub xp_level: u32,
    #[prost(float, tag = "17")]
    pub xp_p: f32,
    #[prost(int32, tag = "18")]
    pub xp_total: i32,
    #[prost(int32, tag = "19")]
    pub xp_seed: i32,
    #[prost(message, repeated, tag = "20")]
    pub inventory: Vec<Item>,
    #[prost(message, repeated, tag = "21")]
    pub ender_items: Vec<Item>,
    #[prost(message, optional, tag = "22")]
    pub abilities: Option<Abilities>,
    #[prost(message, optional, tag = "23")]
    pub entered_nether_position: Option<Vector3d>,
    #[prost(message, optional, tag = "24")]
    pub root_vehicle: Option<Vehicle>,
    #[prost(message, optional, tag = "25")]
    pub shoulder_entity_left: Option<Entity>,
    #[prost(message, optional, tag = "26")]
    pub shoulder_entity_right: Option<Entity>,
    #[prost(bool, tag = "27")]
    pub seen_credits: bool,
    #[prost(message, optional, tag = "28")]
    pub recipe_book: Option<RecipeBook>,
}

#[derive(Clone, PartialEq, Message)]
pub struct Players {
    #[prost(message, repeated, tag = "1")]
    pub players: Vec<Player>,
}

fn vector((x, y, z): (f64, f64, f64)) -> Option<Vector3d> {
    Some(Vector3d { x, y, z })
}

fn uuid([x0, x1, x2, x3]: [u32; 4]) -> Option<Uuid> {
    Some(Uuid { x0, x1, x2, x3 })
}

fn items(value: &[minecraft::Item]) -> Vec<Item> {
    value.iter().map(Item::from).collect()
}

impl From<&minecraft::Players> for Players {
    fn from(value: &minecraft::Players) -> Self {
        Players { players: value.players.iter().map(Player::from).collect() }
    }
}

impl From<&minecraft::Item> for Item {
    fn from(value: &minecraft::Item) -> Self {
        Item { count: value.count.into(), slot: value.slot.into(), id: value.id.clone() }
    }
}

impl From<&minecraft::Abilities> for Abilities {
    fn from(value: &minecraft::Abilities) -> Self {
        let minecraft::Abilities {
            walk_speed,
            fly_speed,
            may_fly,
            flying,
            invulnerable,
            may_build,
            instabuild,
        } = *value;
        Abilities { walk_speed, fly_speed, may_fly, flying, invulnerable, may_build, instabuild }
    }
}

impl From<&minecraft::Entity> for Entity {
    fn from(value: &minecraft::Entity) -> Self {
        let (x, y) = value.rotation;
        Entity {
            id: value.id.clone(),
            pos: vector(value.pos),
            motion: vector(value.motion),
            rotation: Some(Vector2f { x, y }),
            fall_distance: value.fall_distance,
            fire: value.fire.into(),
            air: value.air.into(),
            on_ground: value.on_ground,
            no_gravity: value.no_gravity,
            invulnerable: value.invulnerable,
            portal_cooldown: value.portal_cooldown,
            uuid: uuid(value.uuid),
            custom_name: value.custom_name.clone(),
            custom_name_visible: value.custom_name_visible,
            silent: value.silent,
            glowing: value.glowing,
        }
    }
}

impl From<&minecraft::RecipeBook> for RecipeBook {
    fn from(value: &minecraft::RecipeBook) -> Self {
        RecipeBook {
            recipes: value.recipes.clone(),
            to_be_displayed: value.to_be_displayed.clone(),
            is_filtering_craftable: value.is_filtering_craftable,
            is_gui_open: value.is_gui_open,
            is_furnace_filtering_craftable: value.is_furnace_filtering_craftable,
            is_furnace_gui_open: value.is_furnace_gui_open,
            is_blasting_furnace_filtering_craftable: value.is_blasting_furnace_filtering_craftable,
            is_blasting_furnace_gui_open: value.is_blasting_furnace_gui_open,
            is_smoker_filtering_craftable: value.is_smoker_filtering_craftable,
            is_smoker_gui_open: value.is_smoker_gui_open,
        }
    }
}

impl From<&minecraft::Player> for Player {
    fn from(value: &minecraft::Player) -> Self {
        let vehicle = |(id, entity): &([u32; 4], minecraft::Entity)| Vehicle {
            uuid: uuid(*id),
            entity: Some(entity.into()),
        };
        Player {
            game_type: value.game_type as i32,
            previous_game_type: value.previous_game_type as i32,
            score: value.score,
            dimension: value.dimension.clone(),
            selected_item_slot: value.selected_item_slot,
            selected_item: Some((&value.selected_item).into()),
            spawn_dimension: value.spawn_dimension.clone(),
            spawn_x: value.spawn_x,
            spawn_y: value.spawn_y,
            spawn_z: value.spawn_z,
            spawn_forced: value.spawn_forced,
            sleep_timer: value.sleep_timer.into(),
            food_exhaustion_level: value.food_exhaustion_level,
            food_saturation_level: value.food_saturation_level,
            food_tick_timer: value.food_tick_timer,
            xp_level: value.xp_level,
            xp_p: value.xp_p,
            xp_total: value.xp_total,
            xp_seed: value.xp_seed,
            inventory: items(&value.inventory),
            ender_items: items(&value.ender_items),
            abilities: Some((&value.abilities).into()),
            entered_nether_position: value.entered_nether_position.and_then(vector),
            root_vehicle: value.root_vehicle.as_ref().map(vehicle),
            shoulder_entity_left: value.shoulder_entity_left.as_ref().map(Entity::from),
            shoulder_entity_right: value.shoulder_entity_right.as_ref().map(Entity::from),
            seen_credits: value.seen_credits,
            recipe_book: Some((&value.recipe_book).into()),
        }
    }
}
