//! The function in Java by hand, with the crate jni: a call for each row, and a direct buffer for each batch.

use std::cell::RefCell;

use anyhow::{Context, Result};
use arrow_array::RecordBatch;
use jni::objects::{JByteBuffer, JClass, JStaticMethodID};
use jni::refs::Global;
use jni::signature::{Primitive, ReturnType};
use jni::sys::jvalue;
use jni::{Env, InitArgsBuilder, JNIVersion, JavaVM, jni_sig, jni_str};

use crate::{Touch, rows};

/// Both, of the class `Touch` in this folder, in the Java that this library is.
pub fn all(library: &str, classes: &str) -> Result<[(&'static str, Touch); 2]> {
    let path = format!("-Djava.class.path={classes}");
    let args = InitArgsBuilder::new().version(JNIVersion::V1_8).option(path).build()?;
    let vm = JavaVM::with_libjvm(args, || Ok(library))?;
    let (by_row, by_batch) = vm.attach_current_thread(|env| -> Result<_> {
        let class = env.find_class(jni_str!("Touch")).context("finding the class Touch")?;
        let by_row = ByRow {
            touch: env.get_static_method_id(&class, jni_str!("touch"), jni_sig!("(JLjava/lang/String;)J"))?,
            class: env.new_global_ref(&class)?,
        };
        let by_batch = ByBatch {
            touch: env.get_static_method_id(
                &class,
                jni_str!("rows"),
                jni_sig!("(Ljava/nio/ByteBuffer;ILjava/nio/ByteBuffer;)V"),
            )?,
            class: env.new_global_ref(&class)?,
            taken: Buffer::new(env, 1 << 16)?,
            given: Buffer::new(env, 1 << 16)?,
        };
        Ok((by_row, by_batch))
    })?;
    let (one, many, by_batch) = (vm.clone(), vm, RefCell::new(by_batch));
    Ok([
        (
            "JNI by hand, a call per row",
            Box::new(move |batch: &RecordBatch| one.attach_current_thread(|env| by_row.call(env, batch)))
                as Touch,
        ),
        (
            "JNI by hand, a direct buffer per batch",
            Box::new(move |batch| many.attach_current_thread(|env| by_batch.borrow_mut().call(env, batch))),
        ),
    ])
}

struct ByRow {
    class: Global<JClass<'static>>,
    touch: JStaticMethodID,
}

impl ByRow {
    fn call(&self, env: &mut Env<'_>, batch: &RecordBatch) -> Result<RecordBatch> {
        let mut answers = Vec::with_capacity(batch.num_rows());
        for (number, text) in rows::each(batch)? {
            let text = env.new_string(text)?;
            let arguments = [jvalue { j: number }, jvalue { l: text.as_raw() }];
            let result = ReturnType::Primitive(Primitive::Long);
            // SAFETY: the method was looked up with these parameters and this result.
            let answer =
                unsafe { env.call_static_method_unchecked(&*self.class, self.touch, result, &arguments) }?;
            answers.push(answer.j()?);
            env.delete_local_ref(text);
        }
        rows::column(answers)
    }
}

/// Memory that both sides see.
struct Buffer {
    bytes: Vec<u8>,
    java: Global<JByteBuffer<'static>>,
}

impl Buffer {
    fn new(env: &mut Env<'_>, size: usize) -> Result<Buffer> {
        let mut bytes = vec![0; size];
        // SAFETY: the vector is never longer than now, and lives as long as the buffer.
        let java = unsafe { env.new_direct_byte_buffer(bytes.as_mut_ptr(), size) }?;
        Ok(Buffer { java: env.new_global_ref(java)?, bytes })
    }
}

struct ByBatch {
    class: Global<JClass<'static>>,
    touch: JStaticMethodID,
    taken: Buffer,
    given: Buffer,
}

impl ByBatch {
    fn call(&mut self, env: &mut Env<'_>, batch: &RecordBatch) -> Result<RecordBatch> {
        let (size, mut at) = (self.taken.bytes.len(), 0);
        for (number, text) in rows::each(batch)? {
            let to = self.taken.bytes.get_mut(at..at + rows::HEAD + text.len());
            let to = to.with_context(|| format!("a batch of more than {size} bytes"))?;
            to[..8].copy_from_slice(&number.to_le_bytes());
            to[8..12].copy_from_slice(&(text.len() as u32).to_le_bytes());
            to[12..].copy_from_slice(text.as_bytes());
            at += to.len();
        }
        let count = batch.num_rows();
        let arguments = [
            jvalue { l: self.taken.java.as_raw() },
            jvalue { i: count.try_into()? },
            jvalue { l: self.given.java.as_raw() },
        ];
        let result = ReturnType::Primitive(Primitive::Void);
        // SAFETY: the method was looked up with these parameters and this result.
        unsafe { env.call_static_method_unchecked(&*self.class, self.touch, result, &arguments) }?;
        rows::answers(&self.given.bytes[..count * 8])
    }
}
