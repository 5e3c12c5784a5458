/* Handlers in C, compiled to WebAssembly. Include it in one file of a module, and list the handlers with UPCALL_HANDLERS.
 *
 *     clang --target=wasm32 -O2 -mbulk-memory -ffreestanding -nostdlib -c count.c
 *     rust-lld -flavor wasm --no-entry count.o -o count.wasm
 *
 * There is no C library: what is here is all that a handler needs, memory included (upcall_alloc), and of string.h memcmp, memcpy,
 * memmove and memset. Tests are compiled for this machine, with a C library: upcall_testing.h. */
#ifndef UPCALL_GUEST_H
#define UPCALL_GUEST_H

#ifdef __wasm32__
#ifndef __wasm_bulk_memory__
#error "copying needs instructions of WebAssembly's own: compile with -mbulk-memory"
#endif
#elif !defined UPCALL_TESTING_H
#error "upcall_guest.h is for WebAssembly: compile with --target=wasm32, or include upcall_testing.h before it for a test"
#endif

#include "guest/memory.h"
#include "guest/handler.h"
#include "guest/abi.h"
#include "guest/host.h"
#include "guest/text.h"
#include "guest/failure.h"
#include "guest/vertex.h"
#include "guest/instance.h"
#include "guest/open.h"
#include "guest/number.h"
#include "guest/read.h"
#include "guest/emit.h"
#include "guest/batch.h"
#include "guest/graph.h"
#include "guest/driver.h"

#endif
