/* No object may be made by the extension before it has found out whether it knows the headers of objects. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

void *PyUnicode_FromStringAndSize(const char *text, ssize_t size) {
    Dl_info caller;
    if (dladdr(__builtin_return_address(0), &caller) && strstr(caller.dli_fname, "_native")) abort();
    void *(*real)(const char *, ssize_t) = dlsym(RTLD_NEXT, "PyUnicode_FromStringAndSize");
    return real(text, size);
}
