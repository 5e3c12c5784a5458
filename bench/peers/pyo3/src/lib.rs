//! A callback in Python for each object, as an extension written with PyO3 has it.

#[path = "../../../../crates/measure/src/clock.rs"]
mod clock;

use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// An object, as a handler of ours is given it: both are copied into `bytes` for each call.
const KEY: [u8; 10] = *b"key-000000";
const VALUE: [u8; 64] = [7; 64];

fn call(function: &Bound<'_, PyAny>, key: &[u8], value: &[u8]) -> PyResult<()> {
    let py = function.py();
    function.call1((PyBytes::new(py, key), PyBytes::new(py, value))).map(drop)
}

/// Nanoseconds that a call takes.
fn measured(mut call: impl FnMut() -> PyResult<()>) -> PyResult<f64> {
    call()?;
    let mut failed = None;
    let nanos = clock::nanos(|| failed = call().err());
    failed.map_or(Ok(nanos), Err)
}

/// The module.
#[pymodule]
mod upcall_bench_pyo3 {
    use super::*;

    /// Nanoseconds per call with key and value of an object, by somebody who holds the interpreter's lock all the time.
    #[pyfunction]
    fn attached(function: Bound<'_, PyAny>) -> PyResult<f64> {
        let (key, value) = std::hint::black_box((KEY, VALUE));
        measured(|| call(&function, &key, &value))
    }

    /// The same by native code that holds the lock for the length of a call, on a thread that Python knows.
    #[pyfunction]
    fn detached(py: Python<'_>, function: Py<PyAny>) -> PyResult<f64> {
        let (key, value) = std::hint::black_box((KEY, VALUE));
        py.detach(|| measured(|| Python::attach(|py| call(function.bind(py), &key, &value))))
    }
}
