//! Items exported from within the bodies of others: functions in `const _: () = { .. };` and in functions.

use super::strip::{Strip, attributes};
use crate::rust::lower::is_exported;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprBlock, ImplItem, Item, Stmt};

/// An item that has a symbol wherever it is written.
pub(super) struct Nested {
    pub item: Item,
    /// See [`super::Item::hidden`].
    pub hidden: bool,
}

/// Finds the items exported in a body, except those in the body of such an item.
pub(super) fn find(strip: &mut Strip, body: &mut Block) {
    Search { strip, hidden: false }.visit_block_mut(body);
}

struct Search<'a, 'b> {
    strip: &'a mut Strip<'b>,
    hidden: bool,
}

impl VisitMut for Search<'_, '_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let outer = self.hidden;
        self.hidden |= block.stmts.iter().any(declares);
        visit_mut::visit_block_mut(self, block);
        self.hidden = outer;
    }

    /// Only blocks: other expressions may nest so deeply that a visit would overflow the stack.
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        match expression {
            Expr::Block(_)
            | Expr::Const(_)
            | Expr::ForLoop(_)
            | Expr::If(_)
            | Expr::Loop(_)
            | Expr::Match(_)
            | Expr::Unsafe(_)
            | Expr::While(_) => visit_mut::visit_expr_mut(self, expression),
            _ => {}
        }
    }

    fn visit_expr_block_mut(&mut self, block: &mut ExprBlock) {
        if self.strip.keeps(&mut block.attrs) {
            visit_mut::visit_expr_block_mut(self, block);
        }
    }

    fn visit_item_mut(&mut self, item: &mut Item) {
        if attributes(item).is_some_and(|attributes| !self.strip.keeps(attributes)) {
            return;
        }
        let exported = match item {
            Item::Fn(item) => is_exported(&item.attrs),
            Item::Static(item) => is_exported(&item.attrs),
            Item::Impl(block) => {
                let method = |item: &ImplItem| matches!(item, ImplItem::Fn(item) if is_exported(&item.attrs));
                is_exported(&block.attrs) || block.items.iter().any(method)
            }
            _ => false,
        };
        if exported {
            self.strip.nested.push(Nested { item: item.clone(), hidden: self.hidden });
            return;
        }
        let outer = self.hidden;
        self.hidden |= matches!(item, Item::Mod(_));
        visit_mut::visit_item_mut(self, item);
        self.hidden = outer;
    }
}

/// Whether names mean something else in a statement's block, in types and in array lengths.
fn declares(statement: &Stmt) -> bool {
    match statement {
        Stmt::Item(Item::Const(item)) => item.ident != "_",
        Stmt::Item(item) => matches!(
            item,
            Item::Use(_)
                | Item::Struct(_)
                | Item::Enum(_)
                | Item::Union(_)
                | Item::Type(_)
                | Item::Trait(_)
                | Item::Mod(_)
                | Item::ExternCrate(_)
        ),
        _ => false,
    }
}
