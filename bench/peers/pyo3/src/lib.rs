//! A callback in Python for each object, as an extension written with PyO3 has it.

#[path = "../../../../crates/measure/src/clock.rs"]
mod clock;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// The module.
#[pymodule]
mod upcall_bench_pyo3 {
    use super::*;

    /// Nanoseconds per call with key and value of an object.
    #[pyfunction]
    fn callback(py: Python<'_>, function: Bound<'_, PyAny>) -> PyResult<f64> {
        let (key, value) = (std::hint::black_box("key-000000"), std::hint::black_box([7; 64]));
        let call = || function.call1((PyString::new(py, key), PyBytes::new(py, &value)));
        call()?;
        let mut failed = None;
        let nanos = clock::nanos(|| failed = call().err());
        failed.map_or(Ok(nanos), Err)
    }
}
