//! Matrices as products: what is found is what a dense computation finds, and gives back what the matrix was made of.

use crate::model::Edges;
use crate::programs::on_threads;
use std::collections::BTreeMap;
use upcall_graph::programs::{Als, Factorisation, Sgd};
use upcall_graph::{ErrorKind, Graph, Options, run};

/// How many rows there are where there is more than one block of vertices.
const ROWS: usize = 1300;

/// Numbers that one may call random, from 0 to 1.
fn numbers(mut state: u64) -> impl FnMut() -> f64 {
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / f64::from(1u32 << 31)
    }
}

/// A matrix of so many rows and of this rank, of which about a share is known. Columns are the vertices behind the rows, and a
/// last one has no edges.
fn matrix(rows: usize, rank: usize, share: f64) -> Edges {
    const COLUMNS: usize = 40;
    let mut number = numbers(7);
    let vectors: Vec<Vec<f64>> =
        (0..rows + COLUMNS).map(|_| (0..rank).map(|_| number() * 2.0 - 0.5).collect()).collect();
    let mut list = BTreeMap::new();
    for row in 0..rows {
        for column in rows..rows + COLUMNS {
            if number() < share {
                let entry = vectors[row].iter().zip(&vectors[column]).map(|(one, other)| one * other).sum();
                list.insert((row, column), entry);
            }
        }
    }
    Edges { vertices: rows + COLUMNS + 1, directed: true, list }
}

fn rmse<const K: usize>(edges: &Edges, shown: &[[f64; K]]) -> f64 {
    let error = |((row, column), entry): (&(usize, usize), &f64)| {
        let product: f64 = shown[*row].iter().zip(&shown[*column]).map(|(one, other)| one * other).sum();
        (entry - product).powi(2)
    };
    (edges.list.iter().map(error).sum::<f64>() / edges.list.len() as f64).sqrt()
}

fn factors(graph: &Graph, lambda: f64) -> Factorisation {
    let mut settings = Factorisation::of(graph).unwrap();
    (settings.lambda, settings.seed) = (lambda, 3);
    settings
}

/// Solves a system by Gauss's elimination with the largest pivots.
fn dense<const K: usize>(mut matrix: [[f64; K]; K], mut right: [f64; K]) -> [f64; K] {
    for column in 0..K {
        let size = |row: &usize| (matrix[*row][column].abs() * 1e12) as u64;
        let pivot = (column..K).max_by_key(size).unwrap();
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        for row in column + 1..K {
            let times = matrix[row][column] / matrix[column][column];
            (column..K).for_each(|at| matrix[row][at] -= times * matrix[column][at]);
            right[row] -= times * right[column];
        }
    }
    for row in (0..K).rev() {
        (row + 1..K).for_each(|at| right[row] -= matrix[row][at] * right[at]);
        right[row] /= matrix[row][row];
    }
    right
}

/// The entries of each vertex whose turn it is, in ascending order of the other side.
fn entries(edges: &Edges, iteration: u64) -> BTreeMap<usize, Vec<(usize, f64)>> {
    let mut entries = BTreeMap::<usize, Vec<(usize, f64)>>::new();
    for ((row, column), entry) in &edges.list {
        let (own, other) = if iteration.is_multiple_of(2) { (row, column) } else { (column, row) };
        entries.entry(*own).or_default().push((*other, *entry));
    }
    entries
}

fn near<const K: usize>(found: &[[f64; K]], wanted: &[[f64; K]]) {
    for (vertex, (found, wanted)) in found.iter().zip(wanted).enumerate() {
        for (found, wanted) in found.iter().zip(wanted) {
            assert!((found - wanted).abs() < 1e-9 * wanted.abs().max(1.0), "{vertex}: {found}, not {wanted}");
        }
    }
}

#[test]
fn an_iteration_of_least_squares_is_a_dense_solution() {
    const K: usize = 4;
    const LAMBDA: f64 = 0.1;
    let edges = matrix(ROWS, 5, 0.2);
    let (_folder, graph) = edges.graph(true);
    let at = |iterations| {
        let program = Als::<f64, f64, K>::new(factors(&graph, LAMBDA)).unwrap();
        on_threads(&graph, program, iterations)
    };
    for iteration in 0..4 {
        let before = at(iteration).shown;
        let mut wanted = before.to_vec();
        for (own, entries) in entries(&edges, iteration) {
            let (mut normal, mut right) = ([[0.0; K]; K], [0.0; K]);
            for (other, entry) in &entries {
                for row in 0..K {
                    (0..K).for_each(|at| normal[row][at] += before[*other][row] * before[*other][at]);
                    right[row] += entry * before[*other][row];
                }
            }
            (0..K).for_each(|at| normal[at][at] += LAMBDA * entries.len() as f64);
            wanted[own] = dense(normal, right);
        }
        let found = at(iteration + 1);
        near(&found.shown, &wanted);
        assert!((found.program.rmse.unwrap() - rmse(&edges, &found.shown)).abs() < 1e-12);
        assert_eq!(found.shown[edges.vertices - 1], [0.0; K]);
    }
}

#[test]
fn an_iteration_of_descent_is_a_step_for_each_entry() {
    const K: usize = 8;
    let edges = matrix(ROWS, 3, 0.1);
    let (_folder, graph) = edges.graph(false);
    let at = |iterations| {
        let program = Sgd::<f64, f64, K>::new(factors(&graph, 0.02), 0.03).unwrap();
        on_threads(&graph, program, iterations)
    };
    for iteration in 0..4 {
        let before = at(iteration).shown;
        let mut wanted = before.to_vec();
        for (own, entries) in entries(&edges, iteration) {
            for (other, entry) in entries {
                let product: f64 = (0..K).map(|at| wanted[own][at] * before[other][at]).sum();
                for at in 0..K {
                    let own = &mut wanted[own][at];
                    *own += 0.03 * ((entry - product) * before[other][at] - 0.02 * *own);
                }
            }
        }
        let found = at(iteration + 1);
        near(&found.shown, &wanted);
        assert!((found.program.rmse.unwrap() - rmse(&edges, &found.shown)).abs() < 1e-12);
    }
}

#[test]
fn a_matrix_of_low_rank_is_found_again() {
    let edges = matrix(150, 3, 0.4);
    let (_folder, graph) = edges.graph(false);
    let program = Als::<f64, f64, 4>::new(factors(&graph, 1e-6)).unwrap();
    let found = on_threads(&graph, program, 60);
    assert!(found.program.rmse.unwrap() < 1e-3, "{:?} after {}", found.program.rmse, found.iterations);
    let narrow = on_threads(&graph, Als::<f32, f64, 8>::new(factors(&graph, 1e-6)).unwrap(), 60);
    assert!(narrow.program.rmse.unwrap() < 1e-3, "{:?}", narrow.program.rmse);
    let program = Sgd::<f64, f64, 4>::new(factors(&graph, 0.0), 0.05).unwrap();
    let found = on_threads(&graph, program, 200);
    assert!(found.program.rmse.unwrap() < 1e-2, "{:?} after {}", found.program.rmse, found.iterations);
}

#[test]
fn it_ends_when_the_error_stays_and_when_it_grows_without_end() {
    let edges = matrix(150, 3, 0.2);
    let (_folder, graph) = edges.graph(false);
    let mut settings = factors(&graph, 0.1);
    settings.tolerance = 0.01;
    let found = run(&graph, Als::<f64, f64, 4>::new(settings).unwrap(), Options::default()).unwrap();
    assert!(found.iterations < 50 && found.iterations.is_multiple_of(2), "{}", found.iterations);
    let found = run(&graph, Sgd::<f64, f64, 4>::new(settings, 50.0).unwrap(), Options::default()).unwrap();
    assert!(!found.program.rmse.unwrap().is_finite());
}

#[test]
fn what_is_no_matrix_is_told() {
    let told = |directed, list: &[(usize, usize)]| {
        let list = list.iter().map(|edge| (*edge, 1.0)).collect();
        let (_folder, graph) = Edges { vertices: 3, directed, list }.graph(false);
        let error = Factorisation::of(&graph).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage);
        error.to_string()
    };
    assert!(told(false, &[(0, 1)]).contains("edges have no direction"));
    assert!(told(true, &[]).contains("the graph has no edges"));
    assert!(told(true, &[(0, 1), (1, 2)]).contains("vertex 1 is a row and a column"));
    let (_folder, graph) = matrix(20, 1, 0.1).graph(false);
    for lambda in [0.0, -1.0, f64::NAN] {
        let error = Als::<f64, f64, 4>::new(factors(&graph, lambda)).unwrap_err();
        assert!(error.to_string().starts_with("factorise a matrix: lambda is "), "{error}");
    }
    assert!(Sgd::<f64, f64, 4>::new(factors(&graph, 0.0), 0.0).is_err());
}
