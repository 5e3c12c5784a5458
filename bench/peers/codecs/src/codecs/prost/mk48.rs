//! The messages of `mk48`, as prost-build makes them from the public benchmark's schema.

use crate::shapes::mk48;
use prost::Message;

#[derive(Clone, PartialEq, Message)]
pub struct Vector2f {
    #[prost(float, tag = "1")]
    pub x: f32,
    #[prost(float, tag = "2")]
    pub y: f32,
}

#[derive(Clone, PartialEq, Message)]
pub struct Transform {
    #[prost(int32, tag = "1")]
    pub altitude: i32,
    #[prost(uint32, tag = "2")]
    pub angle: u32,
    #[prost(message, optional, tag = "3")]
    pub position: Option<Vector2f>,
    #[prost(int32, tag = "4")]
    pub velocity: i32,
}

#[derive(Clone, PartialEq, Message)]
pub struct Guidance {
    #[prost(uint32, tag = "1")]
    pub angle: u32,
    #[prost(bool, tag = "2")]
    pub submerge: bool,
    #[prost(int32, tag = "3")]
    pub velocity: i32,
}

#[derive(Clone, PartialEq, Message)]
pub struct Contact {
    #[prost(uint32, tag = "1")]
    pub damage: u32,
    #[prost(uint32, tag = "2")]
    pub entity_id: u32,
    #[prost(int32, optional, tag = "3")]
    pub entity_type: Option<i32>,
    #[prost(message, optional, tag = "4")]
    pub guidance: Option<Guidance>,
    #[prost(uint32, optional, tag = "5")]
    pub player_id: Option<u32>,
    #[prost(bool, repeated, tag = "6")]
    pub reloads: Vec<bool>,
    #[prost(message, optional, tag = "7")]
    pub transform: Option<Transform>,
    #[prost(uint32, repeated, tag = "8")]
    pub turret_angles: Vec<u32>,
}

#[derive(Clone, PartialEq, Message)]
pub struct ChunkId {
    #[prost(int32, tag = "1")]
    pub x: i32,
    #[prost(int32, tag = "2")]
    pub y: i32,
}

#[derive(Clone, PartialEq, Message)]
pub struct TerrainUpdate {
    #[prost(message, optional, tag = "1")]
    pub chunk_id: Option<ChunkId>,
    #[prost(bytes = "vec", tag = "2")]
    pub data: Vec<u8>,
}

#[derive(Clone, PartialEq, Message)]
pub struct Update {
    #[prost(message, repeated, tag = "1")]
    pub contacts: Vec<Contact>,
    #[prost(uint32, tag = "2")]
    pub score: u32,
    #[prost(float, tag = "3")]
    pub world_radius: f32,
    #[prost(message, repeated, tag = "4")]
    pub terrain_updates: Vec<TerrainUpdate>,
}

#[derive(Clone, PartialEq, Message)]
pub struct Updates {
    #[prost(message, repeated, tag = "1")]
    pub updates: Vec<Update>,
}

impl From<&mk48::Updates> for Updates {
    fn from(value: &mk48::Updates) -> Self {
        Updates { updates: value.updates.iter().map(Update::from).collect() }
    }
}

impl From<&mk48::Update> for Update {
    fn from(value: &mk48::Update) -> Self {
        Update {
            contacts: value.contacts.iter().map(Contact::from).collect(),
            score: value.score,
            world_radius: value.world_radius,
            terrain_updates: value.terrain_updates.iter().map(TerrainUpdate::from).collect(),
        }
    }
}

impl From<&mk48::Contact> for Contact {
    fn from(value: &mk48::Contact) -> Self {
        let mk48::Transform { altitude, angle, position: (x, y), velocity } = value.transform;
        let transform = Transform {
            altitude: altitude.into(),
            angle: angle.into(),
            position: Some(Vector2f { x, y }),
            velocity: velocity.into(),
        };
        let mk48::Guidance { angle, submerge, velocity } = value.guidance;
        Contact {
            damage: value.damage.into(),
            entity_id: value.entity_id,
            entity_type: value.entity_type.map(|entity| entity as i32),
            guidance: Some(Guidance { angle: angle.into(), submerge, velocity: velocity.into() }),
            player_id: value.player_id.map(u32::from),
            reloads: value.reloads.clone(),
            transform: Some(transform),
            turret_angles: value.turret_angles.iter().map(|&angle| angle.into()).collect(),
        }
    }
}

impl From<&mk48::TerrainUpdate> for TerrainUpdate {
    fn from(value: &mk48::TerrainUpdate) -> Self {
        let (x, y) = value.chunk_id;
        TerrainUpdate { chunk_id: Some(ChunkId { x: x.into(), y: y.into() }), data: value.data.clone() }
    }
}
