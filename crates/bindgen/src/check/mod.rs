//! Compiles what was written with the real compilers and passes every type through it.
