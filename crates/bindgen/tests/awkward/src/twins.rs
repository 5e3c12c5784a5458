//! Types that share a name.

pub mod left {
    #[repr(C)]
    #[derive(Clone, Copy)]
    pub struct Twin {
        pub a: u8,
    }
}

pub mod right {
    #[repr(C)]
    #[derive(Clone, Copy)]
    pub struct Twin {
        pub a: u64,
        pub b: super::left::Twin,
    }
}

pub use right::Twin as Renamed;

#[unsafe(no_mangle)]
pub extern "C" fn twin_join(left: left::Twin, right: Renamed) -> u64 {
    u64::from(left.a) + right.a + u64::from(right.b.a)
}
