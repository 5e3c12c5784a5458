//! What others say of a graph.

use std::collections::HashMap;
use std::path::Path;

/// What one of them says of a program.
pub struct Said {
    pub whose: String,
    pub program: String,
    /// By vertex, as far as there are any.
    values: Vec<Option<f64>>,
}

impl Said {
    /// A vertex's value, if it has one.
    pub fn of(&self, vertex: usize) -> Option<f64> {
        self.values.get(vertex).copied().flatten()
    }

    pub fn least(&self) -> f64 {
        self.values.iter().flatten().fold(f64::INFINITY, |least, value| least.min(*value))
    }
}

/// All of it, by the file that `references.py` writes.
pub fn expected(file: &Path) -> Vec<Said> {
    let (mut all, mut places) = (Vec::<Said>::new(), HashMap::new());
    for line in std::fs::read_to_string(file).unwrap().lines() {
        let mut words = line.split(' ');
        let [whose, program, vertex, value] = [(); 4].map(|()| words.next().unwrap());
        let place = *places.entry(format!("{whose} {program}")).or_insert_with(|| {
            all.push(Said { whose: whose.to_owned(), program: program.to_owned(), values: Vec::new() });
            all.len() - 1
        });
        let (vertex, values) = (vertex.parse::<usize>().unwrap(), &mut all[place].values);
        values.resize(values.len().max(vertex + 1), None);
        values[vertex] = Some(value.parse().unwrap());
    }
    all
}
