/* Settings that are numbers. */
#ifndef UPCALL_GUEST_NUMBER_H
#define UPCALL_GUEST_NUMBER_H

#include "open.h"

/* Why a setting is no such number. */
UPCALL_SELDOM_ const char *upcall_no_number_(const char *name, upcall_bytes found, const char *wanted) {
    upcall_writer_ said = upcall_begin_();
    upcall_say_(&said, "the setting `");
    upcall_say_(&said, name);
    upcall_say_(&said, "` is ");
    upcall_add_(&said, found);
    upcall_say_(&said, ": give it ");
    upcall_say_(&said, wanted);
    return upcall_end_(&said);
}

UPCALL_STATIC const char *upcall_setting_u64(const upcall_open *open, const char *name, uint64_t *number) {
    static const char wanted[] = "a whole number from 0 to 18446744073709551615";
    upcall_bytes found = upcall_setting(open, name);
    if (!found.data) return 0;
    uint64_t read = 0;
    for (size_t at = 0; at < found.len; at++) {
        unsigned digit = (unsigned char)found.data[at] - '0';
        if (digit > 9 || read > (UINT64_MAX - digit) / 10) return upcall_no_number_(name, found, wanted);
        read = read * 10 + digit;
    }
    if (!found.len) return upcall_no_number_(name, found, wanted);
    *number = read;
    return 0;
}

UPCALL_STATIC const char *upcall_setting_f64(const upcall_open *open, const char *name, double *number) {
    /* Within these bounds both are exact, and one operation rounds to the nearest number (Clinger 1990). */
    enum { LARGEST = 22 };
    static const char wanted[] = "a number of no more than 15 digits, from 1e-22 on and below 1e22, as 0.85 or 1e-6";
    upcall_bytes found = upcall_setting(open, name);
    if (!found.data) return 0;
    const char *at = found.data, *end = found.data + found.len;
    bool minus = at < end && *at == '-', digits = false, behind = false;
    if (at < end && (*at == '-' || *at == '+')) at++;
    uint64_t whole = 0;
    int power = 0;
    for (; at < end; at++) {
        if (*at == '.' && !behind) {
            behind = true;
            continue;
        }
        unsigned digit = (unsigned char)*at - '0';
        if (digit > 9) break;
        digits = true;
        if (whole >= UINT64_C(1) << 53 || power < -9999) return upcall_no_number_(name, found, wanted);
        whole = whole * 10 + digit;
        power -= behind;
    }
    if (digits && at < end && (*at == 'e' || *at == 'E')) {
        bool down = ++at < end && *at == '-';
        if (at < end && (*at == '-' || *at == '+')) at++;
        digits = at < end;
        int of_ten = 0;
        for (; at < end && *at >= '0' && *at <= '9' && of_ten < 9999; at++) of_ten = of_ten * 10 + (*at - '0');
        power += down ? -of_ten : of_ten;
    }
    while (whole && !(whole % 10) && power < 0) {
        whole /= 10;
        power++;
    }
    if (!whole) power = 0;
    if (!digits || at < end || whole > UINT64_C(1) << 53 || power > LARGEST || power < -LARGEST)
        return upcall_no_number_(name, found, wanted);
    double read = (double)whole, scale = 1;
    for (int round = power < 0 ? -power : power; round; round--) scale *= 10;
    read = power < 0 ? read / scale : read * scale;
    *number = minus ? -read : read;
    return 0;
}

#endif
