//! Names of the C library.

/// Functions of POSIX with names that a library may choose too. What a shared library defines under such a name takes
/// the place of the system's in all that is linked into it, Rust's own standard library included.
const NAMES: &str = "abort abs accept access alarm atexit bind calloc chdir chmod chown clock close closedir connect \
    copysign cos creat dup environ errno error exec exit exp fclose fcntl fflush fork fread free fseek fstat ftell \
    fwrite getcwd getenv getpid getrandom index ioctl isatty kill link listen log lseek malloc memchr memcmp memcpy \
    memmem memmove memrchr memset mkdir mmap mount mprotect munmap nanosleep nice open opendir pause perror pipe poll \
    pow pread printf putenv puts pwrite qsort raise rand random read readdir readlink realloc realpath recv remove \
    rename rewind rmdir round scanf select send setenv shutdown signal sin sleep socket splice sqrt stat statx strchr \
    strcmp strerror strlen strtol symlink sync syscall sysconf system tan time times truncate umask uname unlink \
    usleep utime wait waitpid write writev";

/// Whether the C library has a function of this name.
pub(super) fn has(symbol: &str) -> bool {
    NAMES.split_ascii_whitespace().any(|name| name == symbol)
}
