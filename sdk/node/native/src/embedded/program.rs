//! An event loop of this process, and what threads of the engine ask it for.

pub(super) use super::posts::Post;
use super::posts::Posts;
use super::shared::Shared;
use super::table;
use crate::value::{number_of, string_of, truth_of, undefined};
use napi_sys::*;
use std::collections::HashMap;
use std::ffi::c_void;
use std::ptr;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use upcall_abi::{GuestTable, refusal};

/// What is said when nobody runs JavaScript any more.
pub(super) const ENDED: &str = "the program's event loop has ended";

/// One event loop: that of the program, or of a worker thread in it.
pub(crate) struct Program {
    posts: Posts,
    known: Mutex<Known>,
    /// Its place among the tables.
    pub(super) slot: usize,
}

#[derive(Default)]
struct Known {
    last: u32,
    instances: HashMap<u32, Arc<Shared>>,
    questions: HashMap<u32, Arc<Question>>,
}

/// A module's number, or why there is none: one of [`refusal`], and a text.
pub(super) type Answer = Result<u32, (u32, String)>;

/// Asked by a thread that waits for the answer.
#[derive(Default)]
struct Question {
    answer: Mutex<Option<Answer>>,
    answered: Condvar,
}

impl Question {
    fn settle(&self, answer: Answer) {
        lock(&self.answer).get_or_insert(answer);
        self.answered.notify_all();
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Program {
    /// That of the running event loop, which has `function` called with what it is asked for. `Err` says why there is none.
    ///
    /// # Safety
    /// Only on the event loop's thread, with a function of its own.
    pub(super) unsafe fn begin(env: napi_env, function: napi_value) -> Result<Arc<Program>, String> {
        let (mut name, mut made, none) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
        // SAFETY: Node calls; the text is as long as is said.
        unsafe {
            napi_create_string_utf8(env, c"upcall".as_ptr(), 6, &mut name);
            let status = napi_create_threadsafe_function(
                env,
                function,
                none,
                name,
                0,
                1,
                none.cast(),
                None,
                none.cast(),
                Some(deliver),
                &mut made,
            );
            if status != Status::napi_ok {
                return Err("no function can be called from another thread".to_owned());
            }
            napi_unref_threadsafe_function(env, made);
        }
        let program =
            table::take(|slot| Arc::new(Program { posts: Posts::new(made), known: Mutex::default(), slot }))?;
        // Of the hooks of an environment the last runs first: this one before that of the queue.
        // SAFETY: `end` gives the program back.
        unsafe {
            napi_add_env_cleanup_hook(env, Some(end), Arc::into_raw(program.clone()).cast_mut().cast())
        };
        Ok(program)
    }

    /// What it is asked for.
    pub(super) fn posts(&self) -> &Posts {
        &self.posts
    }

    /// What the engine is given.
    pub(super) fn table(&self) -> *const GuestTable {
        table::of(self.slot)
    }

    /// Whether the process lives on for its sake.
    ///
    /// # Safety
    /// Only on the event loop's thread.
    pub(super) unsafe fn hold(&self, env: napi_env, hold: bool) {
        // SAFETY: the caller's promise.
        unsafe { self.posts.hold(env, hold) };
    }

    /// Asks for something, on any thread. False where nobody is there to hear it.
    pub(super) fn post(&self, post: Post) -> bool {
        self.posts.push(post)
    }

    /// Asks, and waits for the answer.
    pub(super) fn ask(&self, post: impl FnOnce(u32) -> Post) -> Answer {
        let question = Arc::new(Question::default());
        let number = {
            let mut known = lock(&self.known);
            let number = known.number();
            known.questions.insert(number, question.clone());
            number
        };
        if !self.post(post(number)) {
            self.answer(number, Err((refusal::RUNTIME_FAILED, ENDED.to_owned())));
        }
        let answer = lock(&question.answer);
        let answer = question.answered.wait_while(answer, |answer| answer.is_none());
        answer.unwrap_or_else(PoisonError::into_inner).take().unwrap_or(Ok(0))
    }

    /// Answers what [`Program::ask`] has asked.
    pub(super) fn answer(&self, question: u32, answer: Answer) {
        let asked = lock(&self.known).questions.remove(&question);
        asked.into_iter().for_each(|asked| asked.settle(answer.clone()));
    }

    /// A new instance, under a number of its own.
    pub(super) fn enter(&self, make: impl FnOnce(u32) -> Arc<Shared>) -> Arc<Shared> {
        let mut known = lock(&self.known);
        let number = known.number();
        let shared = make(number);
        known.instances.insert(number, shared.clone());
        shared
    }

    pub(super) fn instance(&self, number: u32) -> Option<Arc<Shared>> {
        lock(&self.known).instances.get(&number).cloned()
    }

    /// The engine is done with an instance, or it was never made.
    pub(super) fn leave(&self, number: u32) {
        lock(&self.known).instances.remove(&number);
        self.post(Post::Release { instance: number });
    }
}

impl Known {
    fn number(&mut self) -> u32 {
        self.last += 1;
        self.last
    }
}

/// The event loop ends: whoever waits for it is told, and whoever asks from now on.
unsafe extern "C" fn end(program: *mut c_void) {
    // SAFETY: `begin` has given it to the hook, which runs once.
    let program = unsafe { Arc::from_raw(program.cast_const().cast::<Program>()) };
    program.posts.end();
    table::give_back(program.slot);
    let (instances, questions) = {
        let mut known = lock(&program.known);
        (known.instances.values().cloned().collect::<Vec<_>>(), std::mem::take(&mut known.questions))
    };
    for question in questions.into_values() {
        question.settle(Err((refusal::RUNTIME_FAILED, ENDED.to_owned())));
    }
    instances.iter().for_each(|instance| instance.end(ENDED));
}

/// Runs on the event loop when its bell has rung.
unsafe extern "C" fn deliver(env: napi_env, function: napi_value, _: *mut c_void, _: *mut c_void) {
    if env.is_null() {
        return;
    }
    // SAFETY: Node calls, with an environment of `begin`.
    let Some(program) = (unsafe { super::functions::program(env) }) else { return };
    // One at a time: what a handler has promised is done before the next call.
    let Some(post) = program.posts.pop() else { return };
    // SAFETY: Node calls. What is thrown is Node's to deal with, as with any callback.
    if !unsafe { hand_over(env, function, post) } {
        program.posts.rest();
    }
}

/// Has the function called with a post: whether it looks for more by itself.
///
/// # Safety
/// On the event loop, with a function of its own.
unsafe fn hand_over(env: napi_env, function: napi_value, post: Post) -> bool {
    let (what, numbers, texts) = match post {
        Post::Call { instance, at } => (0, [instance.into(), at as f64, 0.0], None),
        Post::Load { question, file, class } => (1, [question.into(), 0.0, 0.0], Some([file, class])),
        Post::Make { question, module, instance } => {
            (2, [question.into(), module.into(), instance.into()], None)
        }
        Post::Release { instance } => (3, [instance.into(), 0.0, 0.0], None),
        Post::Unload { module } => (4, [module.into(), 0.0, 0.0], None),
    };
    let mut result = ptr::null_mut();
    // SAFETY: the caller's promise.
    unsafe {
        let [first, second, third] = numbers.map(|number| number_of(env, number));
        let mut given = [number_of(env, what.into()), first, second, third, ptr::null_mut(), ptr::null_mut()];
        let count = if texts.is_some() { 6 } else { 4 };
        for (place, text) in given[4..].iter_mut().zip(texts.iter().flatten()) {
            *place = string_of(env, text);
        }
        let called = napi_call_function(env, undefined(env), function, count, given.as_ptr(), &mut result);
        called == Status::napi_ok && truth_of(env, result)
    }
}
