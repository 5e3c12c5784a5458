//! `FunctionDescriptor`s, and what cannot be in one.

use super::surface::{Java, Kind};
use crate::model::{Signature, Ty};

impl<'a> Java<'a> {
    /// The layout of a parameter, or of a callback's result.
    pub fn register_layout(&self, ty: &'a Ty) -> String {
        match self.kind(self.passed(ty)) {
            Kind::Scalar(scalar) => scalar.register_layout().into(),
            _ => self.element_layout(self.passed(ty)),
        }
    }

    /// The expression of a callback's descriptor.
    pub fn descriptor(&self, signature: &'a Signature) -> String {
        let mut layouts: Vec<String> =
            signature.params.iter().map(|param| self.register_layout(&param.ty)).collect();
        if signature.ret == Ty::Unit {
            return format!("FunctionDescriptor.ofVoid({})", layouts.join(", "));
        }
        layouts.insert(0, self.register_layout(&signature.ret));
        format!("FunctionDescriptor.of({})", layouts.join(", "))
    }

    /// Why a callback cannot cross: there is no shim for functions that native code calls.
    pub fn callback_obstacle(&self, signature: &'a Signature) -> Option<String> {
        if let Some(obstacle) = signature.obstacle(self.api) {
            return Some(obstacle.what(self.api));
        }
        // The glue of JNI takes any value.
        let refused = |ty: &&'a Ty| !self.jni() && **ty != Ty::Unit && self.refuses(ty);
        let refused = signature.types().find(refused)?;
        Some(format!("passes {} by value, which Java refuses", self.describe(refused)))
    }

    fn describe(&self, ty: &Ty) -> String {
        match self.api.resolve(ty) {
            Ty::Named(id) => {
                format!("`{}` (packed, over-aligned, large or without size)", self.api.get(*id).name)
            }
            _ => "128 bits".into(),
        }
    }
}
