/* What a frame says of a failure. */
#ifndef UPCALL_GUEST_FAILURE_H
#define UPCALL_GUEST_FAILURE_H

#include "abi.h"
#include "text.h"

static int32_t upcall_fail_(upcall_head_ *head, uint32_t item, const char *why) {
    upcall_writer_ said = {UPCALL_AT_(char, head->error.text.at), 0, (size_t)head->error.text.len};
    upcall_say_(&said, "failure");
    head->error.type_len = (uint32_t)said.len;
    upcall_say_(&said, why);
    head->error.message_len = (uint32_t)said.len - head->error.type_len;
    head->error.stack_len = 0;
    head->error.item = item;
    return UPCALL_FAILED;
}

#endif
