//! What a module may import: the module `upcall`, and nothing else.

use super::linear::Linear;
use super::live::{Current, Data};
use upcall_abi::{Item, Query, Status};
use upcall_crossing::{Full, NO_ROOM, NO_ROOM_FOR_KEYS, Room, Services};
use wasmtime::{AsContextMut, Caller, Engine, Linker};

/// The module that all imports are of.
pub(super) const MODULE: &str = "upcall";

/// What it has, and of which type.
pub(super) const GIVEN: [(&str, &str); 5] = [
    ("grow", "(i64, i32) -> i32"),
    ("log", "(i32, i32, i32) -> ()"),
    ("read", "(i32, i32) -> i32"),
    ("list", "(i32, i32) -> i32"),
    ("failed", "(i32, i32, i32, i32) -> ()"),
];

/// Bytes of a text or key that is looked at.
const MOST: u64 = 1 << 20;

/// All imports, by name. They are called as the functions of frames are, on the thread of the current call.
pub(super) fn linker(engine: &Engine) -> wasmtime::Result<Linker<Data>> {
    let mut linker = Linker::new(engine);
    linker.func_wrap(MODULE, "grow", grow)?;
    linker.func_wrap(MODULE, "log", log)?;
    linker.func_wrap(MODULE, "read", read)?;
    linker.func_wrap(MODULE, "list", list)?;
    linker.func_wrap(MODULE, "failed", failed)?;
    Ok(linker)
}

/// What a guest names that is not in its memory.
fn outside(what: &str) -> wasmtime::Error {
    wasmtime::Error::msg(format!("{what} lies outside its memory"))
}

/// Another chunk of output, of at least `need` bytes: its begin and its end are written to `place`.
fn grow(mut caller: Caller<'_, Data>, need: u64, place: u32) -> wasmtime::Result<i32> {
    let data = caller.data_mut();
    let Some(Current { frame, crossing }) = data.current.clone() else { return Ok(Status::FAILED.0) };
    // SAFETY: the frame is that of the current call.
    let Some(emitted) = (unsafe { crossing.emitted(frame) }) else { return Ok(Status::FAILED.0) };
    let mut chunks = data.chunks.take().unwrap_or_default();
    let mut room = Linear::new(caller.as_context_mut()).ok_or_else(|| outside("the place for output"))?;
    // SAFETY: as above, and nobody else uses it.
    let grown = unsafe { chunks.grow(&mut room, &emitted, need) };
    let to = room.place(place.into(), 16);
    caller.data_mut().chunks = Some(chunks);
    let Some([at, end]) = grown.map_err(wasmtime::Error::msg)? else { return Ok(Status::FAILED.0) };
    let to = to.ok_or_else(|| outside("the place for output"))?;
    // SAFETY: inside the memory, for 16 bytes; the module does not run.
    unsafe { to.cast::<[u64; 2]>().write_unaligned([at, end].map(u64::to_le)) };
    Ok(Status::OK.0)
}

fn log(mut caller: Caller<'_, Data>, level: u32, text: u32, len: u32) -> wasmtime::Result<()> {
    let text = text_of(&mut caller, text, len, "the text of a log")?;
    let services = caller.data().services;
    // SAFETY: they are those of OPEN, on the thread of its worker; a module runs during a call only.
    unsafe { services.log(level, &text) };
    Ok(())
}

/// What a pool has for a key.
fn read(mut caller: Caller<'_, Data>, query: u32, found: u32) -> wasmtime::Result<i32> {
    asked(&mut caller, query, |services, room, query| {
        // SAFETY: as in `log`; the query is of this process.
        let answer = unsafe { services.read(room, query) };
        let place = |at| room.place(at, size_of::<Item>() as u64).map(<*mut u8>::cast::<Item>);
        let to = place(found.into()).ok_or_else(|| outside("the place for what a pool has"))?;
        let (status, item) = match answer.map(|(status, at)| (status, place(at))) {
            // SAFETY: inside the memory, and the module does not run.
            Ok((status, Some(from))) => (status, unsafe { from.read_unaligned() }),
            _ => (Status::FAILED, NO_ROOM),
        };
        // SAFETY: as above.
        unsafe { to.write_unaligned(item) };
        Ok(status.0)
    })
}

/// The keys of a pool.
fn list(mut caller: Caller<'_, Data>, query: u32, keys: u32) -> wasmtime::Result<i32> {
    asked(&mut caller, query, |services, room, query| {
        // SAFETY: as in `log`; the query is of this process.
        let (status, found) = match unsafe { services.list(room, query) } {
            Ok(Some(found)) => (Status::OK, found),
            Ok(None) => return Ok(Status::FAILED.0),
            Err(Full) => (Status::FAILED, NO_ROOM_FOR_KEYS),
        };
        let to = room.place(keys.into(), 16).ok_or_else(|| outside("the place for a pool's keys"))?;
        // SAFETY: inside the memory, for 16 bytes; the module does not run.
        unsafe { to.cast::<[u64; 2]>().write_unaligned([found.offset, found.len].map(u64::to_le)) };
        Ok(status.0)
    })
}

/// What the trap that follows is about, and where it was.
fn failed(
    mut caller: Caller<'_, Data>,
    text: u32,
    len: u32,
    place: u32,
    place_len: u32,
) -> wasmtime::Result<()> {
    let said = text_of(&mut caller, text, len, "the text of a failure")?;
    let place = text_of(&mut caller, place, place_len, "the place of a failure")?;
    let [said, place] = [said, place].map(|text| String::from_utf8_lossy(&text).into_owned());
    caller.data_mut().said = Some((said, place));
    Ok(())
}

/// Asks the services about a query that lies in the module's memory.
fn asked<T>(
    caller: &mut Caller<'_, Data>,
    query: u32,
    ask: impl FnOnce(&Services, &mut Linear<'_>, &Query) -> wasmtime::Result<T>,
) -> wasmtime::Result<T> {
    let services = caller.data().services;
    let mut room = Linear::new(caller.as_context_mut()).ok_or_else(|| outside("a query"))?;
    // The address of the key has 32 bits there, and 32 of padding.
    // SAFETY: any bytes are numbers.
    let words = unsafe { room.read::<[u32; 8]>(query.into()) }.ok_or_else(|| outside("a query"))?;
    let long = |low: usize| u64::from(words[low]) | u64::from(words[low + 1]) << 32;
    let key_len = long(2);
    if key_len > MOST {
        return Err(wasmtime::Error::msg(format!(
            "the key of a query has {key_len} bytes, and {MOST} is the most"
        )));
    }
    let key = room.copy(words[0].into(), key_len).ok_or_else(|| outside("the key of a query"))?;
    let query = Query { key: key.as_ptr(), key_len, pool: words[4], as_of: words[5], at: long(6) };
    ask(&services, &mut room, &query)
}

/// A text in the module's memory, copied.
fn text_of(caller: &mut Caller<'_, Data>, text: u32, len: u32, what: &str) -> wasmtime::Result<Vec<u8>> {
    let room = Linear::new(caller.as_context_mut()).ok_or_else(|| outside(what))?;
    let all = room.place(text.into(), len.into()).ok_or_else(|| outside(what))?;
    let len = u64::from(len).min(MOST) as usize;
    let mut copy = vec![0; len];
    // SAFETY: inside the memory, and the module does not run.
    unsafe { all.copy_to_nonoverlapping(copy.as_mut_ptr(), len) };
    Ok(copy)
}
