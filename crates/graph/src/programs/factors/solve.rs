//! Small systems of equations.

/// Solves `matrix` · x = `right` by Cholesky's decomposition; x takes the place of `right`. The matrix is symmetric and positive
/// definite, and only what is below its diagonal is looked at: where rounding leaves nothing of a diagonal, its unknown is 0.
pub(super) fn solve<const K: usize>(matrix: &mut [[f64; K]; K], right: &mut [f64; K]) {
    for column in 0..K {
        let whole = matrix[column][column];
        let diagonal = matrix[column][..column].iter().fold(whole, |left, known| left - known * known);
        // Infinite: what is divided by it is 0.
        let root = if diagonal > f64::EPSILON * whole { diagonal.sqrt() } else { f64::INFINITY };
        matrix[column][column] = root;
        let known = matrix[column];
        for row in &mut matrix[column + 1..] {
            let pairs = row[..column].iter().zip(&known);
            row[column] = pairs.fold(row[column], |left, (one, other)| left - one * other) / root;
        }
    }
    for row in 0..K {
        let sum = (0..row).fold(right[row], |sum, at| sum - matrix[row][at] * right[at]);
        right[row] = sum / matrix[row][row];
    }
    for row in (0..K).rev() {
        let sum = (row + 1..K).fold(right[row], |sum, at| sum - matrix[at][row] * right[at]);
        right[row] = sum / matrix[row][row];
    }
}

#[cfg(test)]
mod tests {
    use super::solve;

    #[test]
    fn what_is_found_solves_the_system() {
        // 4x + 2y + z = 1, 2x + 5y + 3z = 2, x + 3y + 6z = 3.
        let (mut matrix, mut right) = ([[4.0, 2.0, 1.0], [2.0, 5.0, 3.0], [1.0, 3.0, 6.0]], [1.0, 2.0, 3.0]);
        solve(&mut matrix, &mut right);
        let [x, y, z] = right;
        for (left, right) in
            [(4.0 * x + 2.0 * y + z, 1.0), (2.0 * x + 5.0 * y + 3.0 * z, 2.0), (x + 3.0 * y + 6.0 * z, 3.0)]
        {
            assert!((left - right).abs() < 1e-14, "{left} instead of {right}");
        }
    }

    #[test]
    fn unknowns_that_nothing_is_said_of_are_0() {
        let (mut matrix, mut right) = ([[1.0, 1.0], [1.0, 1.0]], [3.0, 3.0]);
        solve(&mut matrix, &mut right);
        assert_eq!(right, [3.0, 0.0]);
    }
}
