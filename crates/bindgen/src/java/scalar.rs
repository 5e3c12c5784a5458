//! Numbers: the Java types that they travel in, and what users see.

use crate::model::TypeId;

/// A Java type that a number travels in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Carrier {
    Boolean,
    Byte,
    Short,
    Int,
    Long,
    Float,
    Double,
    Address,
}

impl Carrier {
    /// The Java type.
    pub fn java(self) -> &'static str {
        match self {
            Carrier::Boolean => "boolean",
            Carrier::Byte => "byte",
            Carrier::Short => "short",
            Carrier::Int => "int",
            Carrier::Long => "long",
            Carrier::Float => "float",
            Carrier::Double => "double",
            Carrier::Address => "MemorySegment",
        }
    }

    /// The array type for several of them, if one can be copied to and from memory.
    pub fn array(self) -> Option<&'static str> {
        match self {
            Carrier::Byte => Some("byte[]"),
            Carrier::Short => Some("short[]"),
            Carrier::Int => Some("int[]"),
            Carrier::Long => Some("long[]"),
            Carrier::Float => Some("float[]"),
            Carrier::Double => Some("double[]"),
            Carrier::Boolean | Carrier::Address => None,
        }
    }

    /// The constant of `ValueLayout` whose alignment is natural.
    pub fn layout(self) -> &'static str {
        match self {
            Carrier::Boolean => "ValueLayout.JAVA_BOOLEAN",
            Carrier::Byte => "ValueLayout.JAVA_BYTE",
            Carrier::Short => "ValueLayout.JAVA_SHORT",
            Carrier::Int => "ValueLayout.JAVA_INT",
            Carrier::Long => "ValueLayout.JAVA_LONG",
            Carrier::Float => "ValueLayout.JAVA_FLOAT",
            Carrier::Double => "ValueLayout.JAVA_DOUBLE",
            Carrier::Address => "ValueLayout.ADDRESS",
        }
    }

    /// The constant of `Native` that reads it from any address.
    pub fn access(self) -> &'static str {
        match self {
            Carrier::Boolean => "Native.BOOLEAN",
            Carrier::Byte => "Native.BYTE",
            Carrier::Short => "Native.SHORT",
            Carrier::Int => "Native.INT",
            Carrier::Long => "Native.LONG",
            Carrier::Float => "Native.FLOAT",
            Carrier::Double => "Native.DOUBLE",
            Carrier::Address => "Native.ADDRESS",
        }
    }
}

/// A number, a truth value, a character or an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scalar {
    pub carrier: Carrier,
    pub unsigned: bool,
    /// An enum or flags narrower than an `int`: shown as `int`, so that its constants compare equal.
    pub widened: bool,
    /// Whether null is refused.
    pub present: bool,
    /// Of an address: what is there, if that has a class.
    pub target: Option<Target>,
}

/// What an address leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Target {
    pub id: TypeId,
    /// Whether who receives the address has to release it.
    pub owned: bool,
}

impl Scalar {
    /// A number or an address as it is.
    pub fn plain(carrier: Carrier, unsigned: bool) -> Scalar {
        Scalar { carrier, unsigned, widened: false, present: false, target: None }
    }

    /// The Java type that users see.
    pub fn java(self) -> &'static str {
        if self.widened { "int" } else { self.carrier.java() }
    }

    /// The user's value, as its carrier.
    pub fn lower(self, value: &str) -> String {
        match self.widened {
            true => format!("({}) {value}", self.carrier.java()),
            false => value.to_owned(),
        }
    }

    /// The native value, as users see it.
    pub fn lift(self, value: &str) -> String {
        match (self.widened && self.unsigned, self.carrier) {
            (true, Carrier::Byte) => format!("Byte.toUnsignedInt({value})"),
            (true, Carrier::Short) => format!("Short.toUnsignedInt({value})"),
            _ => value.to_owned(),
        }
    }
}

/// In registers, numbers below 32 bits travel as 32 bits. Compilers expect zeros above an unsigned one, where
/// Java would repeat the sign.
impl Scalar {
    fn extended(self) -> Option<Carrier> {
        Some(self.carrier)
            .filter(|carrier| self.unsigned && matches!(carrier, Carrier::Byte | Carrier::Short))
    }

    /// The layout as a parameter, or as the result of a callback.
    pub fn register_layout(self) -> &'static str {
        match self.extended() {
            Some(Carrier::Byte) => "ValueLayout.JAVA_INT",
            Some(_) => "ValueLayout.JAVA_CHAR",
            None => self.carrier.layout(),
        }
    }

    /// The Java type in that form.
    pub fn register_java(self) -> &'static str {
        match self.extended() {
            Some(Carrier::Byte) => "int",
            Some(_) => "char",
            None => self.carrier.java(),
        }
    }

    /// The user's value in that form.
    pub fn lower_register(self, value: &str) -> String {
        match self.extended() {
            Some(Carrier::Byte) if self.widened => format!("{value} & 0xff"),
            Some(Carrier::Byte) => format!("Byte.toUnsignedInt({value})"),
            Some(_) => format!("(char) {value}"),
            None => self.lower(value),
        }
    }

    /// A value that arrives in that form, as users see it.
    pub fn lift_register(self, value: &str) -> String {
        match self.extended() {
            Some(Carrier::Byte) if self.widened => format!("{value} & 0xff"),
            Some(_) if !self.widened => format!("({}) {value}", self.carrier.java()),
            Some(_) => value.to_owned(),
            None => self.lift(value),
        }
    }

    /// What a failed callback returns.
    pub fn zero(self) -> &'static str {
        match (self.extended(), self.carrier) {
            (Some(_), _) | (None, Carrier::Int) => "0",
            (None, Carrier::Boolean) => "false",
            (None, Carrier::Byte) => "(byte) 0",
            (None, Carrier::Short) => "(short) 0",
            (None, Carrier::Long) => "0L",
            (None, Carrier::Float) => "0f",
            (None, Carrier::Double) => "0d",
            (None, Carrier::Address) => "MemorySegment.NULL",
        }
    }
}
