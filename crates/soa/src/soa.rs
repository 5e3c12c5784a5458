use crate::columns::Columns;
use crate::rows::Rows;

/// A struct or an enum whose values are kept in columns. `#[derive(Soa)]` writes the implementation.
///
/// It says which columns there are ([`Soa::Columns`]) and gives names to what the columns have by position:
/// its methods only rename.
///
/// # Safety
/// None of its methods panics, and `split` and `join` are each other's inverse: containers call them while
/// rows are half moved.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no columns",
    label = "cannot be kept in columns of its own",
    note = "`#[derive(Soa)]` gives them to a struct with named fields and to an enum; any other type is one column, without `#[soa(flatten)]`"
)]
pub unsafe trait Soa: Sized + 'static {
    /// The type's name.
    const NAME: &'static str;
    /// Its columns' names, in order.
    const FIELDS: &'static [Field];
    /// Its columns.
    type Columns: Columns;
    /// One row, read: a struct of references.
    type Ref<'a>;
    /// One row, written: a struct of mutable references.
    type RefMut<'a>;
    /// All columns, read: a struct of slices.
    type Slices<'a>;
    /// All columns, written: a struct of mutable slices.
    type SlicesMut<'a>;
    /// What has a method for each column; every container dereferences to it.
    type Fields: ?Sized;

    /// Takes a value apart.
    fn split(self) -> Row<Self>;
    /// Puts a value together.
    fn join(row: Row<Self>) -> Self;
    /// Names the references of a row.
    fn row<'a>(row: <Self::Columns as Columns>::Ref<'a>) -> Self::Ref<'a>;
    /// Names the mutable references of a row.
    fn row_mut<'a>(row: <Self::Columns as Columns>::RefMut<'a>) -> Self::RefMut<'a>;
    /// Names the columns.
    fn slices<'a>(columns: <Self::Columns as Columns>::Slices<'a>) -> Self::Slices<'a>;
    /// Names the columns, to write.
    fn slices_mut<'a>(columns: <Self::Columns as Columns>::SlicesMut<'a>) -> Self::SlicesMut<'a>;
    /// The same rows, with a method for each column.
    fn fields(rows: &Rows<Self>) -> &Self::Fields;
    /// The same rows, with a method for each column.
    fn fields_mut(rows: &mut Rows<Self>) -> &mut Self::Fields;
}

/// What a column is called, or a group of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// One column.
    Column(&'static str),
    /// The columns of a field with `#[soa(flatten)]`.
    Group(&'static str, &'static [Field]),
}

impl Field {
    /// The field's name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Field::Column(name) | Field::Group(name, _) => name,
        }
    }
}

/// The values of one row, by position.
pub type Row<T> = <<T as Soa>::Columns as Columns>::Row;

/// The elements of all columns, by position: what threads get.
pub(crate) type Elements<T> = <<T as Soa>::Columns as Columns>::Elements;

/// The addresses of all columns, by position.
pub(crate) type Pointers<T> = <<T as Soa>::Columns as Columns>::Pointers;
