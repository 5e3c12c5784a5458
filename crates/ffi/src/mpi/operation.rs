use super::failure::MpiFailure;
use std::sync::Arc;
use upcall_mpi::{LentOperation, Named, Operation};

/// What a reduction does with two elements: an operation of MPI's, or a function.
pub struct UpcallMpiOperation {
    pub(super) what: What,
    /// The bytes of an element.
    pub(super) size: usize,
}

pub(super) enum What {
    Named(Named),
    Made(Arc<Operation<u8>>),
}

impl UpcallMpiOperation {
    /// The same for a call that goes on, which keeps it.
    pub(super) fn kept(&self) -> LentOperation {
        match &self.what {
            What::Named(named) => LentOperation::Named(*named),
            What::Made(made) => LentOperation::Made(Arc::clone(made)),
        }
    }
}

#[upcall::export(marked)]
impl UpcallMpiOperation {
    /// An operation of MPI's (`Sum`, `Product`, `Min`, `Max`, `LogicalAnd`, `LogicalOr`, `LogicalXor`, `BitAnd`, `BitOr`,
    /// `BitXor`) on numbers (`i8` to `i64`, `u8` to `u64`, `f32`, `f64`); of `MinWithPlace` and `MaxWithPlace` an element is such
    /// a number and, behind it, a place of 4 bytes, laid out as C does.
    pub fn named(operator: &str, number: &str) -> Result<Self, MpiFailure> {
        let named = Named::new(operator, number)?;
        Ok(UpcallMpiOperation { what: What::Named(named), size: named.size() })
    }

    /// A function on elements of so many bytes each, called once per chunk of them: it combines `from` into `into`, element by
    /// element; where the order matters, `from` is what lower ranks have. It returns 0, or anything else where it has failed,
    /// which is the failure of the reduction when that has ended. It is called on the threads that call the reduction, on
    /// several at once where they do, and of one that was begun on any thread that calls MPI before it has ended; it must not call
    /// MPI, which is a failure there. A call that was begun keeps it. There may be 64 at a time.
    #[expect(clippy::type_complexity, reason = "the attribute reads the type as it is written")]
    pub fn new(
        size: usize,
        commutes: bool,
        combine: Box<dyn Fn(&[u8], &mut [u8]) -> i32 + Send + Sync>,
    ) -> Result<Self, MpiFailure> {
        made(size, commutes, move |from, into| combine(from, into))
    }

    /// The bytes of an element.
    pub fn element(&self) -> usize {
        self.size
    }
}

/// An operation of a function that says by a number whether it has failed.
pub(super) fn made(
    size: usize,
    commutes: bool,
    combine: impl Fn(&[u8], &mut [u8]) -> i32 + Send + Sync + 'static,
) -> Result<UpcallMpiOperation, MpiFailure> {
    let operation = Operation::<u8>::of_size(size, move |from, into| match combine(from, into) {
        0 => Ok(()),
        code => Err(format!("its function returned {code}")),
    })?;
    let operation = if commutes { operation } else { operation.not_commutative() };
    Ok(UpcallMpiOperation { what: What::Made(Arc::new(operation)), size })
}
