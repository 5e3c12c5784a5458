use super::abi::{ArrowArray, ArrowSchema};
use std::any::Any;
use std::ffi::{CString, c_char, c_void};
use std::ptr::{NonNull, null, null_mut};
use std::sync::Arc;

/// An array before it has become plain memory.
pub struct Node {
    pub format: String,
    pub len: usize,
    /// The values, if it has any besides its children's.
    pub buffer: Option<Buffer>,
    pub children: Vec<(&'static str, Node)>,
}

/// Where values are.
pub enum Buffer {
    /// There are none.
    Nothing,
    /// In a column.
    Lent(NonNull<c_void>),
    /// Here.
    Made(Vec<u8>),
}

/// What a schema's pointers point to.
struct SchemaMemory {
    format: *mut c_char,
    name: *mut c_char,
    children: Vec<*mut ArrowSchema>,
}

/// What an array's pointers point to.
struct ArrayMemory {
    buffers: Vec<*const c_void>,
    children: Vec<*mut ArrowArray>,
    _made: Vec<u8>,
    _keep: Arc<dyn Any + Send + Sync>,
}

impl Node {
    pub fn schema(&self, name: &str) -> ArrowSchema {
        let children = self.children.iter().map(|(name, child)| Box::into_raw(Box::new(child.schema(name))));
        let text = |text: &str| CString::new(text).expect("names and formats have no zero").into_raw();
        let (format, name) = (text(&self.format), text(name));
        let mut memory = Box::new(SchemaMemory { format, name, children: children.collect() });
        ArrowSchema {
            format,
            name,
            metadata: null(),
            flags: 0,
            n_children: memory.children.len() as i64,
            children: memory.children.as_mut_ptr(),
            dictionary: null_mut(),
            release: Some(release_schema),
            private_data: Box::into_raw(memory).cast(),
        }
    }

    /// The array; `keep` is what its columns' memory lives in, and is kept until all of it is released, since
    /// a child may outlive the rest.
    pub fn array(self, keep: &Arc<dyn Any + Send + Sync>) -> ArrowArray {
        let children = self.children.into_iter().map(|(_, child)| Box::into_raw(Box::new(child.array(keep))));
        let children = children.collect();
        let (values, made) = match self.buffer {
            None => (None, Vec::new()),
            Some(Buffer::Nothing) => (Some(null()), Vec::new()),
            Some(Buffer::Lent(at)) => (Some(at.as_ptr().cast_const()), Vec::new()),
            Some(Buffer::Made(made)) => (Some(made.as_ptr().cast()), made),
        };
        // The first buffer would say what is null.
        let buffers = std::iter::once(null()).chain(values).collect();
        let mut memory = Box::new(ArrayMemory { buffers, children, _made: made, _keep: Arc::clone(keep) });
        ArrowArray {
            length: self.len as i64,
            null_count: 0,
            offset: 0,
            n_buffers: memory.buffers.len() as i64,
            n_children: memory.children.len() as i64,
            buffers: memory.buffers.as_mut_ptr(),
            children: memory.children.as_mut_ptr(),
            dictionary: null_mut(),
            release: Some(release_array),
            private_data: Box::into_raw(memory).cast(),
        }
    }
}

unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    // SAFETY: whoever releases it owns it, and it is one of `schema`'s, so its memory is too; children that
    // were moved elsewhere have no `release` any more, and dropping them does nothing.
    unsafe {
        let memory = Box::from_raw((*schema).private_data.cast::<SchemaMemory>());
        (*schema).release = None;
        drop((CString::from_raw(memory.format), CString::from_raw(memory.name)));
        memory.children.iter().for_each(|child| drop(Box::from_raw(*child)));
    }
}

unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    // SAFETY: as in `release_schema`.
    unsafe {
        let memory = Box::from_raw((*array).private_data.cast::<ArrayMemory>());
        (*array).release = None;
        memory.children.iter().for_each(|child| drop(Box::from_raw(*child)));
    }
}
