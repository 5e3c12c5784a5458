//! The module: types and functions are added when the package opens it.

use super::class::{method, within};
use super::ffi::*;
use super::handle::{self, HandleType};
use super::kind::EnumType;
use super::object::{self, StructType};
use super::{array, call, callback, explicit, out, owned, supported, view};
use std::ffi::{CStr, c_int};
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// What the module is made of.
pub struct Module {
    /// The package that it is in.
    pub package: &'static CStr,
    /// Its docs.
    pub docs: &'static CStr,
    /// Opens the library, which may be in the package's folder.
    pub open: fn(&Path) -> Result<(), String>,
    /// Its enums, whose classes the package has made.
    pub enums: &'static [&'static EnumType],
    /// The classes that it makes.
    pub structs: &'static [&'static StructType],
    /// The handles, whose classes the package has made.
    pub handles: &'static [&'static HandleType],
    /// The library's functions.
    pub functions: &'static [Function],
}

/// Classes and callbacks belong to the first interpreter that opened the module.
static OPENED: AtomicBool = AtomicBool::new(false);

/// A function of the module.
pub struct Function {
    /// Its name.
    pub name: &'static CStr,
    /// Its arguments.
    pub params: &'static [At],
    /// What CPython calls.
    pub call: unsafe extern "C" fn(Obj, *const Obj, isize, Obj) -> Obj,
    /// Its docs.
    pub docs: &'static CStr,
}

/// Raises `ImportError` if the extension does not fit the interpreter.
unsafe fn fits(module: &'static Module) -> Outcome<()> {
    // SAFETY: the version is text that lives as long as the process.
    unsafe {
        let version = CStr::from_ptr(Py_GetVersion()).to_string_lossy();
        let why = match supported::supported(&version) {
            Ok(()) if counts_in_the_head()? => return Ok(()),
            Ok(()) => "this Python was built with a different object header: use a standard build".to_owned(),
            Err(why) => why,
        };
        let message = format!("import {}._native: {why}\0", module.package.to_string_lossy());
        // Not `raise`, which counts references in a header that may be another one here.
        PyErr_SetString(PyExc_ImportError, message.as_ptr().cast());
        Err(Raised)
    }
}

/// What Python calls when it imports the module.
pub unsafe fn init(module: &'static Module, open: PyCFunction, learn: PyCFunction) -> Obj {
    // SAFETY: this thread holds the GIL.
    if unsafe { fits(module) }.is_err() {
        return ptr::null_mut();
    }
    let opens = c"Opens the library: takes the module of the enums, and the package's folder.";
    let methods = vec![
        method(c"_open", open, METH_VARARGS, opens),
        method(c"_learn", learn, METH_O, c"Takes the classes of the handles."),
        method(c"_text_at", text_at, METH_O, c"The bytes at an address, up to a zero."),
        method(c"_close", close, METH_NOARGS, c"Keeps the library's threads from calling: Python ends."),
        PyMethodDef::zeroed(),
    ];
    let definition = Box::leak(Box::new(PyModuleDef {
        m_base: PyModuleDef_HEAD_INIT,
        m_name: within(module.package, c"_native").as_ptr(),
        m_doc: module.docs.as_ptr(),
        m_size: -1,
        m_methods: methods.leak().as_mut_ptr(),
        m_slots: ptr::null_mut(),
        m_traverse: None,
        m_clear: None,
        m_free: None,
    }));
    // SAFETY: the definition is whole and never freed.
    unsafe { PyModule_Create2(definition, PYTHON_ABI_VERSION as c_int) }
}

/// The function `_open`.
pub unsafe fn open(module: &'static Module, to: Obj, arguments: Obj) -> Obj {
    // SAFETY: CPython calls it with the module and a tuple.
    returned(unsafe {
        let (mut types, mut folder) = (ptr::null_mut(), ptr::null_mut());
        if PyArg_ParseTuple(arguments, c"OO".as_ptr(), &mut types, &mut folder) == 0 {
            return ptr::null_mut();
        }
        fill(module, to, types, folder).map(|()| none())
    })
}

unsafe extern "C" fn text_at(_: Obj, address: Obj) -> Obj {
    static ADDRESS: At = At { name: c"address", owner: c"_text_at" };
    // SAFETY: the program says that text is there.
    returned(unsafe {
        view::take_address(address, None, false, &ADDRESS)
            .and_then(|text| owned(PyBytes_FromString(text.cast())))
    })
}

unsafe extern "C" fn close(_: Obj, _: Obj) -> Obj {
    // SAFETY: called by atexit.
    unsafe {
        callback::close();
        none()
    }
}

/// The function `_learn`.
pub unsafe fn learn(module: &'static Module, classes: Obj) -> Obj {
    // SAFETY: CPython calls it with an object.
    returned(unsafe { handle::learn(module.handles, classes).map(|()| none()) })
}

unsafe fn fill(module: &'static Module, to: Obj, types: Obj, folder: Obj) -> Outcome<()> {
    // SAFETY: all are alive.
    unsafe {
        if OPENED.load(Relaxed) {
            let message = "the extension is open in this process already, and cannot be in two interpreters";
            return Err(raise(PyExc_ImportError, message));
        }
        (module.open)(&path(folder)?).map_err(|message| raise(PyExc_ImportError, &message))?;
        OPENED.store(true, Relaxed);
        for of in module.enums {
            let class = owned(PyObject_GetAttrString(types, of.name.as_ptr()))?;
            of.class.set(class);
            of.members.set(owned(PyObject_GetAttrString(class, c"_value2member_map_".as_ptr()))?);
        }
        call::ERROR.set(owned(PyObject_GetAttrString(types, c"NativeError".as_ptr()))?);
        view::TEXT.set(owned(PyObject_GetAttrString(types, c"NativeText".as_ptr()))?);
        for make in [array::make, owned::make, explicit::make, handle::make, out::make] {
            make(to, module.package)?;
        }
        object::make(to, module.package, module.structs)?;
        let method = |function: &Function| PyMethodDef {
            ml_name: function.name.as_ptr(),
            ml_meth: PyMethodDefPointer { PyCFunctionFastWithKeywords: function.call },
            ml_flags: METH_FASTCALL | METH_KEYWORDS,
            ml_doc: function.docs.as_ptr(),
        };
        let mut methods: Vec<PyMethodDef> = module.functions.iter().map(method).collect();
        methods.push(PyMethodDef::zeroed());
        done(PyModule_AddFunctions(to, methods.leak().as_mut_ptr()))
    }
}

/// A `str` as a path.
unsafe fn path(path: Obj) -> Outcome<PathBuf> {
    static PATH: At = At { name: c"folder", owner: c"_open" };
    // SAFETY: the object is alive and keeps its text.
    let text = unsafe { view::take_str(path, &PATH)?.bytes() };
    Ok(PathBuf::from(String::from_utf8_lossy(text).into_owned()))
}
