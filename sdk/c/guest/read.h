/* Reading pools. */
#ifndef UPCALL_GUEST_READ_H
#define UPCALL_GUEST_READ_H

#include "host.h"
#include "text.h"

#define UPCALL_UNREADABLE_ "read a pool that this handler does not declare: add the pool to its `read`"

static bool upcall_ask_(upcall_query_ query, upcall_found *found) {
    upcall_item_ item = {0};
    if (query.pool != UPCALL_NO_POOL && upcall_host_read_(&query, &item) == UPCALL_OK) {
        *found = (upcall_found){upcall_of_(item.value), item.version, item.time, 0};
        return true;
    }
    *found = (upcall_found){{0, 0}, 0, 0, UPCALL_UNREADABLE_};
    const char *why = 0;
    if (item.tag == UPCALL_MISSING_COMPACTED) why = " as it was: that is no longer kept; raise `keep` of the pool";
    if (item.tag == UPCALL_MISSING_UNKNOWN_AS_OF)
        why = " as it was: this engine does not know how; run it with one as new as the handler";
    if (item.tag == UPCALL_MISSING_NO_ROOM)
        why = ": the handler's memory has no room for it; raise its `memory`, or read less in one call";
    if (why) {
        upcall_writer_ said = upcall_begin_();
        upcall_say_(&said, "read ");
        upcall_add_(&said, (upcall_bytes){UPCALL_AT_(const char, query.key), (size_t)query.key_len});
        upcall_say_(&said, why);
        found->why = upcall_end_(&said);
    }
    return false;
}

static upcall_query_ upcall_query_of_(uint32_t pool, upcall_bytes key, uint32_t as_of, uint64_t at) {
    return (upcall_query_){(uintptr_t)key.data, key.len, pool, as_of, at};
}

UPCALL_STATIC bool upcall_read(uint32_t pool, upcall_bytes key, upcall_found *found) {
    return upcall_ask_(upcall_query_of_(pool, key, UPCALL_AS_OF_NOW, 0), found);
}

UPCALL_STATIC bool upcall_read_at(uint32_t pool, upcall_bytes key, uint64_t version, upcall_found *found) {
    return upcall_ask_(upcall_query_of_(pool, key, UPCALL_AS_OF_VERSION, version), found);
}

UPCALL_STATIC bool upcall_read_by_time(uint32_t pool, upcall_bytes key, uint64_t time, upcall_found *found) {
    return upcall_ask_(upcall_query_of_(pool, key, UPCALL_AS_OF_TIME, time), found);
}

UPCALL_STATIC bool upcall_list(uint32_t pool, upcall_bytes prefix, upcall_keys *keys) {
    upcall_query_ query = upcall_query_of_(pool, prefix, UPCALL_AS_OF_NOW, 0);
    upcall_rel_ found = {0, 0};
    bool listed = pool != UPCALL_NO_POOL && upcall_host_list_(&query, &found) == UPCALL_OK;
    *keys = (upcall_keys){listed ? (size_t)found.len : 0, UPCALL_AT_(const void, found.at), 0};
    if (!listed)
        keys->why = found.at == UPCALL_MISSING_NO_ROOM
            ? "list keys: the handler's memory has no room for them; raise its `memory`, or read less in one call"
            : UPCALL_UNREADABLE_;
    return listed;
}

UPCALL_STATIC upcall_bytes upcall_key(const upcall_keys *keys, size_t index) {
    return upcall_of_(((const upcall_rel_ *)keys->at)[index]);
}

#endif
