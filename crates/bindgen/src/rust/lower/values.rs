//! The values of constant generic arguments: `Fixed<2>` and `Fixed<{ 1 + 1 }>` are one type.

use super::{Home, Lower};
use crate::model::{Place, Ty};
use crate::probe::{Plan, Spot, Value};
use quote::ToTokens;
use std::collections::HashMap;
use syn::{Expr, Lit, Type, UnOp};

/// The compiler's answers about expressions.
pub type Known = HashMap<Value, i128>;

impl Lower<'_> {
    /// The value of a generic argument in one spelling. If only the compiler knows it, the question is
    /// recorded and the text stays.
    pub(super) fn value_of(&mut self, home: Home, text: String, ty: &Type, place: Place) -> String {
        let ty = ty.to_token_stream().to_string();
        if let Some(literal) = syn::parse_str(&text).ok().and_then(|expression| literal(&expression)) {
            return literal;
        }
        let value = Value { spot: self.home_spot(home), text, ty };
        match self.values.get(&value) {
            Some(known) => spelled(*known, &value.ty),
            None => {
                let text = value.text.clone();
                self.want(value, place);
                text
            }
        }
    }

    /// A length that was asked for because it is part of a generic argument.
    pub(super) fn known_length(&self, home: Home, text: &str) -> Option<u64> {
        let value = Value { spot: self.home_spot(home), text: text.to_owned(), ty: "usize".to_owned() };
        self.values.get(&value).and_then(|known| u64::try_from(*known).ok())
    }

    /// Asks for the lengths in a generic argument that are not known: they are part of the type's identity.
    pub(super) fn want_lengths(&mut self, ty: &Ty, place: &Place) {
        match ty {
            Ty::Pointer(pointer) => self.want_lengths(&pointer.to, place),
            Ty::Array { of, len } => {
                self.want_lengths(of, place);
                if let Some(subject) = Plan::pending(*len).map(|index| self.plan.lengths[index].clone()) {
                    let spot = self.plan.spots[subject.spot].clone();
                    self.want(Value { spot, text: subject.text, ty: "usize".to_owned() }, place.clone());
                }
            }
            _ => {}
        }
    }

    pub(super) fn want(&mut self, value: Value, place: Place) {
        if self.plan.values.iter().all(|(known, _)| *known != value) {
            self.plan.spot(value.spot.clone());
            self.plan.values.push((value, place));
        }
    }

    pub(super) fn home_spot(&self, home: Home) -> Spot {
        self.scope.module(home).spot.clone()
    }
}

/// A literal without its prefix and suffix: `0x2_usize` is `2`.
fn literal(expression: &Expr) -> Option<String> {
    match expression {
        Expr::Block(block) if block.label.is_none() => match &block.block.stmts[..] {
            [syn::Stmt::Expr(inner, None)] => literal(inner),
            _ => None,
        },
        Expr::Paren(inner) => literal(&inner.expr),
        Expr::Group(inner) => literal(&inner.expr),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
            literal(&unary.expr).map(|positive| format!("-{positive}"))
        }
        Expr::Lit(one) => match &one.lit {
            Lit::Int(number) => Some(number.base10_digits().to_owned()),
            Lit::Byte(byte) => Some(byte.value().to_string()),
            Lit::Bool(truth) => Some(truth.value.to_string()),
            Lit::Char(letter) => Some(format!("{:?}", letter.value())),
            _ => None,
        },
        _ => None,
    }
}

fn spelled(value: i128, ty: &str) -> String {
    match ty {
        "bool" => (value != 0).to_string(),
        "char" => u32::try_from(value)
            .ok()
            .and_then(char::from_u32)
            .map_or(value.to_string(), |one| format!("{one:?}")),
        // The table has the bits of numbers above `i128::MAX`.
        "u128" => (value as u128).to_string(),
        _ => value.to_string(),
    }
}
