use super::list::list;
use crate::prelude::*;
use crate::{Error, Form, Pack, Reader, Unpack, Writer};

/// A stack, C#'s `Stack<T>`: its last item is the top. On the wire the bottom comes first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stack<T>(pub Vec<T>);

/// Elements with their priorities in no particular order, C#'s `PriorityQueue<E, P>`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PriorityQueue<E, P>(pub Vec<(E, P)>);

list!(Stack<T>, T);
list!(PriorityQueue<E, P>, (E, P));
