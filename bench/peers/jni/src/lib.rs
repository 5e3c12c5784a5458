//! A callback in Java for each object, as a library written with the crate jni has it.

#[path = "../../../../crates/measure/src/clock.rs"]
mod clock;

use std::hint::black_box;

use jni::errors::ThrowRuntimeExAndDefault;
use jni::objects::{JClass, JMethodID, JObject};
use jni::signature::{Primitive, ReturnType};
use jni::sys::{jdouble, jvalue};
use jni::{Env, EnvUnowned, jni_sig, jni_str};

/// `Embed.byJni`: nanoseconds per call with key and value of an object, as a `String` and a `byte[]`.
#[unsafe(no_mangle)]
pub extern "system" fn Java_Embed_byJni<'l>(
    mut env: EnvUnowned<'l>,
    _class: JClass<'l>,
    callback: JObject<'l>,
) -> jdouble {
    let measured = env.with_env(|env| -> jni::errors::Result<f64> {
        let class = env.get_object_class(&callback)?;
        let method = env.get_method_id(&class, jni_str!("call"), jni_sig!("(Ljava/lang/String;[B)V"))?;
        call(env, &callback, method)?;
        let mut failed = None;
        let nanos = clock::nanos(|| failed = call(env, &callback, method).err());
        failed.map_or(Ok(nanos), Err)
    });
    measured.resolve::<ThrowRuntimeExAndDefault>()
}

fn call(env: &mut Env<'_>, callback: &JObject<'_>, method: JMethodID) -> jni::errors::Result<()> {
    let key = env.new_string(black_box("key-000000"))?;
    let value = env.byte_array_from_slice(black_box(&[7; 64]))?;
    let arguments = [jvalue { l: key.as_raw() }, jvalue { l: value.as_raw() }];
    let nothing = ReturnType::Primitive(Primitive::Void);
    // SAFETY: the method was looked up with these parameters and no result.
    unsafe { env.call_method_unchecked(callback, method, nothing, &arguments) }?;
    env.delete_local_ref(key);
    env.delete_local_ref(value);
    Ok(())
}
