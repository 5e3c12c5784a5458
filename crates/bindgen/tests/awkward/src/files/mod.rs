//! Modules in files of odd places, and names that come from elsewhere.

pub mod deep;
#[path = "elsewhere.in"]
pub mod moved;

/// Included as it stands.
mod included {
    include!("included.in");
}

mod hidden {
    #[repr(C)]
    #[derive(Clone, Copy)]
    pub struct Hidden {
        pub value: u32,
    }
}

pub use hidden::Hidden;

/// Takes names from a glob of a glob.
pub mod prelude {
    pub use super::deep::*;
    pub use super::hidden::*;
    pub use super::moved::Moved as Shifted;
}

mod user {
    use super::prelude::*;

    #[unsafe(no_mangle)]
    pub extern "C" fn files_sum(
        hidden: Hidden,
        deepest: Deepest,
        shifted: Shifted,
        own: self::inner::Own,
    ) -> u32 {
        hidden.value + deepest.value + shifted.value + own.value
    }

    mod inner {
        #[repr(C)]
        #[derive(Clone, Copy)]
        pub struct Own {
            pub(in super::super) value: u32,
        }
    }
}
