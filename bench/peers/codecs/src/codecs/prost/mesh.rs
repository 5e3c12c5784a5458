//! The messages of `mesh`, as prost-build makes them from the public benchmark's schema.

use crate::shapes::mesh;
use prost::Message;

#[derive(Clone, PartialEq, Message)]
pub struct Vector3 {
    #[prost(float, tag = "1")]
    pub x: f32,
    #[prost(float, tag = "2")]
    pub y: f32,
    #[prost(float, tag = "3")]
    pub z: f32,
}

#[derive(Clone, PartialEq, Message)]
pub struct Triangle {
    #[prost(message, optional, tag = "1")]
    pub v0: Option<Vector3>,
    #[prost(message, optional, tag = "2")]
    pub v1: Option<Vector3>,
    #[prost(message, optional, tag = "3")]
    pub v2: Option<Vector3>,
    #[prost(message, optional, tag = "4")]
    pub normal: Option<Vector3>,
}

#[derive(Clone, PartialEq, Message)]
pub struct Mesh {
    #[prost(message, repeated, tag = "1")]
    pub triangles: Vec<Triangle>,
}

impl From<&mesh::Mesh> for Mesh {
    fn from(value: &mesh::Mesh) -> Self {
        Mesh { triangles: value.triangles.iter().map(Triangle::from).collect() }
    }
}

impl From<&mesh::Triangle> for Triangle {
    fn from(value: &mesh::Triangle) -> Self {
        let vector = |mesh::Vector3 { x, y, z }| Some(Vector3 { x, y, z });
        let mesh::Triangle { v0, v1, v2, normal } = *value;
        Triangle { v0: vector(v0), v1: vector(v1), v2: vector(v2), normal: vector(normal) }
    }
}
