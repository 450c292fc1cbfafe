// SPDX-License-Identifier: GPL-3.0-only
// liblog: lines go to the phone's own log.
#include <stdarg.h>
#include <stdio.h>

#include "phone.h"

int phone_log_fd = 2;

int __android_log_write(int priority, const char *tag, const char *text) {
    return dprintf(phone_log_fd, "%c %s: %s\n", "??VDIWEF"[priority & 7], tag ? tag : "", text);
}

int __android_log_buf_write(int buffer, int priority, const char *tag, const char *text) {
    (void)buffer;
    return __android_log_write(priority, tag, text);
}

int __android_log_print(int priority, const char *tag, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return __android_log_write(priority, tag, text);
}

int __android_log_is_loggable(int priority, const char *tag, int fallback) {
    (void)tag;
    return priority >= fallback;
}

int __android_log_is_loggable_len(int priority, const char *tag, size_t length, int fallback) {
    (void)length;
    return __android_log_is_loggable(priority, tag, fallback);
}
