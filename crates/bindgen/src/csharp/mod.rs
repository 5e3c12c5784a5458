//! The C# back end.
