//! Numbers in packed types: the lengths of arrays and the values of enums, written as constants and expressions.

use super::super::scope::{Home, plain};
use super::super::{Context, Lower, builtin};
use super::Types;
use crate::model::{Api, Int};
use crate::probe::Value;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, ExprLit, Ident, Item, Lit, Type, UnOp};

/// Constants of constants: more than this many form a circle.
const DEEPEST: usize = 50;

/// Stands for a number until the compiler has been asked for it. It makes no difference yet.
pub(super) const UNKNOWN: i128 = 1;

impl Lower<'_> {
    /// The value of an expression of this type. What is not plain arithmetic is asked of the compiler, and the answer
    /// is there the next time.
    pub(super) fn number(&mut self, context: &Context, expression: &Expr, ty: Int) -> Option<i128> {
        let fits = |value: &i128| ends(ty).is_none_or(|(least, most)| (least..=most).contains(value));
        if let Some(value) = self.evaluated(context.home, expression, 0).filter(fits) {
            return Some(value);
        }
        let (home, text) = self.reaching(context.home, expression.to_token_stream().to_string());
        let value = Value { spot: self.home_spot(home), text, ty: ty.rust_name().to_owned() };
        match self.values.get(&value) {
            Some(known) => Some(*known),
            None => {
                self.want(value, context.place(expression.span()));
                None
            }
        }
    }

    /// The length of an array, or an argument that will be one. `None` if it depends on a parameter.
    pub(super) fn packed_length(&mut self, context: &Context, types: &Types, length: &Expr) -> Option<u64> {
        let length = bare(length);
        if let Expr::Path(path) = length
            && let Some(known) = path.path.get_ident().and_then(|ident| types.lengths.get(&plain(ident)))
        {
            return Some(*known);
        }
        let mut mentions = Mentions { types, found: false };
        mentions.visit_expr(length);
        if mentions.found {
            return None;
        }
        u64::try_from(self.number(context, length, Int::Usize).unwrap_or(UNKNOWN)).ok()
    }

    /// Arithmetic with literals and constants. `None` for everything else, and for what does not fit.
    fn evaluated(&self, home: Home, expression: &Expr, depth: usize) -> Option<i128> {
        if depth > DEEPEST {
            return None;
        }
        let inner = |expression: &Expr| self.evaluated(home, expression, depth + 1);
        match bare(expression) {
            Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => number.base10_parse().ok(),
            Expr::Lit(ExprLit { lit: Lit::Byte(byte), .. }) => Some(byte.value().into()),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => inner(&unary.expr)?.checked_neg(),
            Expr::Binary(pair) => {
                let (left, right) = (inner(&pair.left)?, inner(&pair.right)?);
                match pair.op {
                    BinOp::Add(_) => left.checked_add(right),
                    BinOp::Sub(_) => left.checked_sub(right),
                    BinOp::Mul(_) => left.checked_mul(right),
                    BinOp::Div(_) => left.checked_div(right),
                    BinOp::BitOr(_) => Some(left | right),
                    // Bits may leave a type, which is no error, so the type has to be the outermost one.
                    BinOp::Shl(_) if is_literal(&pair.left) && depth == 0 => {
                        left.checked_mul(1i128.checked_shl(u32::try_from(right).ok()?)?)
                    }
                    _ => None,
                }
            }
            Expr::Cast(cast) => {
                let Type::Path(path) = &*cast.ty else { return None };
                let (least, most) = match builtin::integer(&path.path.get_ident()?.to_string())? {
                    // At least as many bits as these have.
                    Int::Usize => ends(Int::U16)?,
                    Int::Isize => ends(Int::I16)?,
                    int => ends(int)?,
                };
                // Arithmetic has a type of its own there.
                let plain = matches!(bare(&cast.expr), Expr::Path(_)) || is_literal(&cast.expr);
                inner(&cast.expr).filter(|value| plain && (least..=most).contains(value))
            }
            Expr::Path(path) if path.qself.is_none() => {
                let names: Vec<String> = path.path.segments.iter().map(|one| plain(&one.ident)).collect();
                match &names.iter().map(String::as_str).collect::<Vec<_>>()[..] {
                    [name] => self.constant_in(home, name, depth),
                    [ty, end @ ("MIN" | "MAX")] => {
                        let (least, most) = ends(builtin::integer(ty)?)?;
                        Some(if *end == "MIN" { least } else { most })
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn constant_in(&self, home: Home, name: &str, depth: usize) -> Option<i128> {
        let items = self.scope.module(home).items.iter();
        let expression = items.filter(|item| !item.hidden).find_map(|item| match &item.item {
            Item::Const(constant) if constant.ident == name => Some(&constant.expr),
            _ => None,
        })?;
        // Its own type may be another, so nothing but what cannot leave it.
        self.evaluated(home, expression, depth + 1)
    }
}

/// Whether it is a number without a type of its own.
fn is_literal(expression: &Expr) -> bool {
    matches!(bare(expression), Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) if number.suffix().is_empty())
}

/// The ends of a type that is the same on all targets.
fn ends(int: Int) -> Option<(i128, i128)> {
    if matches!(int, Int::Isize | Int::Usize | Int::Long | Int::ULong | Int::CChar | Int::U128 | Int::I128) {
        return None;
    }
    let api = Api::default();
    let bits = api.int_size(int) * 8;
    Some(match api.is_signed(int) {
        true => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        false => (0, (1 << bits) - 1),
    })
}

/// Without parentheses, and without braces around it alone.
fn bare(expression: &Expr) -> &Expr {
    match expression {
        Expr::Paren(inner) => bare(&inner.expr),
        Expr::Group(inner) => bare(&inner.expr),
        Expr::Block(block) => match &block.block.stmts[..] {
            [syn::Stmt::Expr(inner, None)] => bare(inner),
            _ => expression,
        },
        expression => expression,
    }
}

/// Whether an expression depends on a generic parameter.
struct Mentions<'a> {
    types: &'a Types,
    found: bool,
}

impl<'ast> Visit<'ast> for Mentions<'_> {
    fn visit_ident(&mut self, name: &'ast Ident) {
        let name = plain(name);
        self.found |= self.types.lengths.contains_key(&name) || self.types.wires.contains_key(&name);
    }

    fn visit_expr(&mut self, mut expression: &'ast Expr) {
        // Many operators in a row nest deeply on the left.
        while let Expr::Binary(pair) = expression {
            self.visit_expr(&pair.right);
            expression = &pair.left;
        }
        visit::visit_expr(self, expression);
    }
}
