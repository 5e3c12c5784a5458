//! Ranks on a grid.

use super::Neighborhood;
use crate::communicator::Communicator;
use crate::error::{Error, ErrorKind};
use std::ffi::c_int;
use std::ops::Deref;

/// One direction of a grid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dimension {
    /// How many ranks lie along it.
    pub size: usize,
    /// Whether the last one's neighbor is the first.
    pub periodic: bool,
}

/// Ranks on a grid of any number of dimensions, in the order of rows: the last coordinate changes first.
///
/// Its [neighbors](Neighborhood::sources) are, for each dimension, the one before and the one behind.
#[derive(Debug)]
pub struct Cartesian {
    neighborhood: Neighborhood,
    dimensions: Vec<Dimension>,
    coordinates: Vec<usize>,
}

impl Deref for Cartesian {
    type Target = Neighborhood;

    fn deref(&self) -> &Neighborhood {
        &self.neighborhood
    }
}

/// A number as MPI has it.
fn narrow(number: usize, what: impl FnOnce() -> String) -> Result<c_int, Error> {
    c_int::try_from(number)
        .map_err(|_| Error::new(ErrorKind::Usage, format!("{}: {number} is too large", what())))
}

impl Communicator {
    /// How many ranks to put along each dimension, so that all are as many as here and the dimensions are as equal as can be. One
    /// that is not 0 stays as it is.
    ///
    /// # Errors
    /// The ranks are no multiple of the dimensions that are given, or those have not all.
    pub fn dimensions(&self, dimensions: &[usize]) -> Result<Vec<usize>, Error> {
        let size = self.size();
        let what = || format!("share {size} ranks among the dimensions {dimensions:?}");
        let given = dimensions.iter().filter(|size| **size > 0);
        let product = given.fold(1usize, |product, size| product.saturating_mul(*size));
        let free = dimensions.contains(&0);
        // MPI does not say which of the numbers is wrong.
        if !size.is_multiple_of(product) || (!free && product != size) {
            let message = format!("{}: those that are given have {product}", what());
            return Err(Error::new(ErrorKind::Usage, message));
        }
        let mut sizes = dimensions.iter().map(|size| narrow(*size, what)).collect::<Result<Vec<_>, _>>()?;
        if sizes.is_empty() {
            return Ok(Vec::new());
        }
        self.library.call(
            // SAFETY: there are so many dimensions.
            |table| unsafe { (table.dims_create)(size as c_int, sizes.len() as c_int, sizes.as_mut_ptr()) },
            what,
        )?;
        Ok(sizes.into_iter().map(|size| usize::try_from(size).unwrap_or(0)).collect())
    }

    /// Puts the ranks on a grid; those that it has no place for get `None`. Where `reorder` is set, MPI may give a rank another
    /// number there, for the sake of the machine. Collective: all ranks give the same.
    ///
    /// # Errors
    /// The grid has more places than there are ranks, or a dimension of none; or MPI refuses.
    pub fn cartesian(&self, dimensions: &[Dimension], reorder: bool) -> Result<Option<Cartesian>, Error> {
        let what = || format!("put {} ranks on a grid of {} dimensions", self.size(), dimensions.len());
        let places = dimensions.iter().try_fold(1usize, |product, one| product.checked_mul(one.size));
        if places.is_none_or(|places| places == 0 || places > self.size()) {
            let sizes: Vec<usize> = dimensions.iter().map(|dimension| dimension.size).collect();
            let message = format!("{}: {sizes:?} are no places, or more than the ranks", what());
            return Err(Error::new(ErrorKind::Usage, message));
        }
        let sizes: Vec<c_int> = dimensions.iter().map(|dimension| dimension.size as c_int).collect();
        let periods: Vec<c_int> = dimensions.iter().map(|dimension| dimension.periodic.into()).collect();
        let mut made = 0;
        self.library.call(
            // SAFETY: a communicator of this MPI's, here and below, and so many dimensions.
            |table| unsafe {
                let (count, reorder) = (sizes.len() as c_int, c_int::from(reorder));
                (table.cart_create)(self.handle, count, sizes.as_ptr(), periods.as_ptr(), reorder, &mut made)
            },
            what,
        )?;
        self.made(made)?.map(Cartesian::new).transpose()
    }
}

impl Cartesian {
    fn new(comm: Communicator) -> Result<Cartesian, Error> {
        let what = || "look at a grid".to_owned();
        let mut count = 0;
        // SAFETY: as above, here and below.
        comm.library.call(|table| unsafe { (table.cart_count)(comm.handle, &mut count) }, what)?;
        // One more: the library may be given no null.
        let mut room = vec![0; 3 * (usize::try_from(count).unwrap_or(0) + 1)];
        let (sizes, rest) = room.split_at_mut(count as usize + 1);
        let (periods, at) = rest.split_at_mut(count as usize + 1);
        comm.library.call(
            // SAFETY: as above, with room for as many dimensions.
            |table| unsafe {
                let (sizes, periods) = (sizes.as_mut_ptr(), periods.as_mut_ptr());
                (table.cart_get)(comm.handle, count, sizes, periods, at.as_mut_ptr())
            },
            what,
        )?;
        let number = |number: &c_int| usize::try_from(*number).unwrap_or(0);
        let dimensions = sizes.iter().zip(periods.iter()).take(count as usize);
        let dimensions: Vec<Dimension> = dimensions
            .map(|(size, periodic)| Dimension { size: number(size), periodic: *periodic != 0 })
            .collect();
        let coordinates: Vec<usize> = at[..count as usize].iter().map(number).collect();
        let mut grid = Cartesian {
            neighborhood: Neighborhood {
                comm,
                sources: Vec::new(),
                targets: Vec::new(),
                crossed: Default::default(),
            },
            dimensions,
            coordinates,
        };
        let mut neighbors = Vec::with_capacity(2 * grid.dimensions.len());
        for dimension in 0..grid.dimensions.len() {
            let (before, behind) = grid.shift(dimension, 1)?;
            neighbors.extend([before, behind]);
        }
        grid.neighborhood.sources.clone_from(&neighbors);
        grid.neighborhood.targets = neighbors;
        grid.look_for_crossings()?;
        Ok(grid)
    }

    /// Along a periodic dimension of one or two ranks both neighbors are the same rank. What goes there down arrives from
    /// above: each direction is told to be the other one's. All ranks know whether there is such a dimension.
    fn look_for_crossings(&mut self) -> Result<(), Error> {
        if !self.dimensions.iter().any(|dimension| dimension.periodic && dimension.size <= 2) {
            return Ok(());
        }
        let told: Vec<u64> = (0..self.targets().len() as u64).collect();
        let wanted: Vec<u64> = told.iter().map(|direction| direction ^ 1).collect();
        self.neighborhood.look_for_crossings(&told, &wanted)
    }

    /// The same grid, whose messages never meet those of this one. Collective.
    ///
    /// # Errors
    /// MPI refuses.
    pub fn duplicate(&self) -> Result<Cartesian, Error> {
        Cartesian::new(Communicator::duplicate(self)?)
    }

    /// Its directions.
    #[must_use]
    pub fn dimensions(&self) -> &[Dimension] {
        &self.dimensions
    }

    /// Where this rank is.
    #[must_use]
    pub fn coordinates(&self) -> &[usize] {
        &self.coordinates
    }

    /// Where a rank is.
    ///
    /// # Errors
    /// There is no such rank.
    pub fn coordinates_of(&self, rank: usize) -> Result<Vec<usize>, Error> {
        let what = || format!("ask for the coordinates of rank {rank}");
        let peer = self.peer(rank, what)?;
        let mut at = vec![0; self.dimensions.len() + 1];
        self.library.call(
            // SAFETY: as above, with room for as many coordinates.
            |table| unsafe {
                let count = self.dimensions.len() as c_int;
                (table.cart_coords)(self.handle, peer, count, at.as_mut_ptr())
            },
            what,
        )?;
        at.truncate(self.dimensions.len());
        Ok(at.into_iter().map(|at| usize::try_from(at).unwrap_or(0)).collect())
    }

    /// Who is there. Along a periodic dimension any number is a coordinate, also a negative one; along others one outside of the
    /// grid is where nobody is.
    ///
    /// # Errors
    /// There are more or fewer coordinates than dimensions.
    pub fn rank_of(&self, coordinates: &[isize]) -> Result<Option<usize>, Error> {
        let what = || format!("ask who is at {coordinates:?}");
        if coordinates.len() != self.dimensions.len() {
            let message = format!("{}: the grid has {} dimensions", what(), self.dimensions.len());
            return Err(Error::new(ErrorKind::Usage, message));
        }
        let mut at = Vec::with_capacity(coordinates.len() + 1);
        for (&coordinate, dimension) in coordinates.iter().zip(&self.dimensions) {
            // MPI's numbers have 32 bits: it wraps around once at most.
            let size = dimension.size as isize;
            let wrapped = coordinate.rem_euclid(size);
            if wrapped != coordinate && !dimension.periodic {
                return Ok(None);
            }
            at.push(wrapped as c_int);
        }
        at.push(0);
        let mut rank = 0;
        // SAFETY: as above, with as many coordinates.
        self.library.call(|table| unsafe { (table.cart_rank)(self.handle, at.as_ptr(), &mut rank) }, what)?;
        Ok(usize::try_from(rank).ok())
    }

    /// Whom to receive from and whom to send to, to move something so many steps along a dimension; `None` beyond the border.
    ///
    /// # Errors
    /// There is no such dimension, or the steps are larger than an `i32`.
    pub fn shift(&self, dimension: usize, steps: isize) -> Result<(Option<usize>, Option<usize>), Error> {
        let what = || format!("shift by {steps} along dimension {dimension}");
        if dimension >= self.dimensions.len() {
            let message = format!("{}: the grid has {}", what(), self.dimensions.len());
            return Err(Error::new(ErrorKind::Usage, message));
        }
        let steps = c_int::try_from(steps)
            .map_err(|_| Error::new(ErrorKind::Usage, format!("{}: it is too far", what())))?;
        let (mut from, mut to) = (0, 0);
        self.library.call(
            // SAFETY: as above.
            |table| unsafe { (table.cart_shift)(self.handle, dimension as c_int, steps, &mut from, &mut to) },
            what,
        )?;
        Ok((usize::try_from(from).ok(), usize::try_from(to).ok()))
    }

    /// The part of the grid that differs from this rank's place in the dimensions that are kept only: of a grid of rows and
    /// columns, `[false, true]` is this rank's row. Collective.
    ///
    /// # Errors
    /// It is not said of each dimension whether it is kept, or MPI refuses.
    pub fn sub_grid(&self, kept: &[bool]) -> Result<Cartesian, Error> {
        let what = || format!("take a part of a grid, keeping {kept:?}");
        if kept.len() != self.dimensions.len() {
            let message = format!("{}: the grid has {} dimensions", what(), self.dimensions.len());
            return Err(Error::new(ErrorKind::Usage, message));
        }
        if !kept.contains(&true) {
            // MPICH 4.0.2 makes this one for rank 0 only.
            let alone = self.split(u32::try_from(self.rank()).ok(), 0)?;
            let grid = alone.map(|alone| alone.cartesian(&[], false)).transpose()?.flatten();
            return grid.ok_or_else(|| Error::new(ErrorKind::Mpi, format!("{}: MPI has made none", what())));
        }
        let mut flags: Vec<c_int> = kept.iter().map(|kept| c_int::from(*kept)).collect();
        flags.push(0);
        let mut made = 0;
        self.library.call(
            // SAFETY: as above, with a flag for each dimension.
            |table| unsafe { (table.cart_sub)(self.handle, flags.as_ptr(), &mut made) },
            what,
        )?;
        Cartesian::new(Communicator::new(self.library, made, true)?)
    }
}
