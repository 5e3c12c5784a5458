//! Matrices as products: after each iteration, the vectors that numpy comes to by the programs' definitions.

use crate::{files, lists, written};
use std::path::Path;
use upcall_graph::programs::{Als, Factorisation, Sgd};
use upcall_graph::{Graph, Options, run};

/// As `factors.py` has them.
const SEED: u64 = 3;
const ITERATIONS: u64 = 6;

/// How far vectors may be from numpy's, of their own size or of 1: numpy adds up and solves in another order, and what is rounded in
/// an iteration is what the next one begins with. At most 5e-13 was found.
const TOLERANCE: f64 = 1e-11;

/// A program's vectors, and the root of its mean squared error, after so many iterations.
type Found = (Vec<Vec<f64>>, f64);

#[test]
fn matrices_are_the_products_that_numpy_comes_to() {
    let folder = written("factors.py", &[]);
    let matrices = files(&folder, "edges");
    assert_eq!(matrices.len(), 3);
    for edges in &matrices {
        let graph = lists::graph(edges);
        let factors = |lambda| {
            let mut factors = Factorisation::of(&graph).unwrap();
            (factors.lambda, factors.seed, factors.tolerance) = (lambda, SEED, -1.0);
            factors
        };
        compare(&edges.with_extension("als"), |iterations| {
            let program = Als::<f64, f64, 4>::new(factors(0.1)).unwrap();
            let found = run(&graph, program, limited(iterations)).unwrap();
            (found.shown.iter().map(|vector| vector.to_vec()).collect(), found.program.rmse.unwrap())
        });
        compare(&edges.with_extension("sgd"), |iterations| {
            let program = Sgd::<f64, f64, 8>::new(factors(0.02), 0.03).unwrap();
            let found = run(&graph, program, limited(iterations)).unwrap();
            (found.shown.iter().map(|vector| vector.to_vec()).collect(), found.program.rmse.unwrap())
        });
        in_f32(&graph, &edges.with_extension("als"));
    }
}

fn limited(iterations: u64) -> Options<'static> {
    Options { iterations, ..Options::default() }
}

/// What numpy has after each iteration.
fn expected(file: &Path) -> Vec<Found> {
    let mut all: Vec<Found> = (0..ITERATIONS).map(|_| (Vec::new(), 0.0)).collect();
    for line in std::fs::read_to_string(file).unwrap().lines() {
        let mut words = line.split(' ');
        let (vectors, error) = &mut all[words.next().unwrap().parse::<usize>().unwrap()];
        let vertex = words.next().unwrap();
        let numbers: Vec<f64> = words.map(|word| word.parse().unwrap()).collect();
        match vertex.parse::<usize>() {
            Ok(vertex) => {
                assert_eq!(vertex, vectors.len());
                vectors.push(numbers);
            }
            Err(_) => *error = numbers[0],
        }
    }
    all
}

fn compare(file: &Path, after: impl Fn(u64) -> Found) {
    let name = file.file_name().unwrap().to_str().unwrap();
    for (iteration, (wanted, wanted_error)) in expected(file).into_iter().enumerate() {
        let (found, error) = after(iteration as u64 + 1);
        assert_eq!(found.len(), wanted.len());
        for (vertex, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
            near(found, wanted, TOLERANCE, &format!("{name}, vertex {vertex} after iteration {iteration}"));
        }
        near(&[error], &[wanted_error], TOLERANCE, &format!("{name}, error after iteration {iteration}"));
    }
}

fn near(found: &[f64], wanted: &[f64], tolerance: f64, what: &str) {
    assert_eq!(found.len(), wanted.len(), "{what}");
    for (found, wanted) in found.iter().zip(wanted) {
        let off = (found - wanted).abs();
        assert!(off <= tolerance * wanted.abs().max(1.0), "{what}: {found}, and numpy has {wanted}");
    }
}

/// Vectors that are kept in f32 are computed in f64, and are off by what each iteration rounds them to.
fn in_f32(graph: &Graph, file: &Path) {
    let mut factors = Factorisation::of(graph).unwrap();
    (factors.lambda, factors.seed, factors.tolerance) = (0.1, SEED, -1.0);
    let program = Als::<f32, f64, 4>::new(factors).unwrap();
    let found = run(graph, program, limited(ITERATIONS)).unwrap();
    let (wanted, _) = expected(file).pop().unwrap();
    for (vertex, (found, wanted)) in found.shown.iter().zip(&wanted).enumerate() {
        let found = found.map(f64::from);
        near(&found, wanted, 1e-5, &format!("{}, vertex {vertex} in f32", file.display()));
    }
}
