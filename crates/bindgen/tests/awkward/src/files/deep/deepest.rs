/// Three folders down.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Deepest {
    pub value: u32,
}
