mod deepest;

pub use self::deepest::Deepest;
