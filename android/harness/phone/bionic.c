// SPDX-License-Identifier: GPL-3.0-only
// Android's C library where it is not the host's: other names, numbers and layouts. All else comes
// from glibc, which this library precedes in the search order.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NEXT(type, name) ((type)dlsym(RTLD_NEXT, name))

int *__errno(void) {
    return &errno;
}

// Numbers of bionic's <bits/sysconf.h>.
long sysconf(int name) {
    switch (name) {
    case 0x27:
    case 0x28: return getpagesize();
    case 0x60:
    case 0x61: return 2;
    default: return -1;
    }
}

int __system_property_get(const char *name, char *value) {
    const char *known = strcmp(name, "ro.build.version.sdk") == 0 ? "34" : "";
    strcpy(value, known);
    return (int)strlen(value);
}

const void *__system_property_find(const char *name) {
    (void)name;
    return NULL;
}

void android_set_abort_message(const char *message) {
    (void)message;
}

void __assert2(const char *file, int line, const char *function, const char *message) {
    (void)file, (void)line, (void)function, (void)message;
    abort();
}

// bionic's pthread_attr_t is 56 bytes long, glibc's 64: the app's holds a pointer to a real one.
static pthread_attr_t *real(pthread_attr_t *attr) {
    return *(pthread_attr_t **)attr;
}

int pthread_attr_init(pthread_attr_t *attr) {
    pthread_attr_t *made = calloc(1, sizeof *made);
    *(pthread_attr_t **)attr = made;
    return NEXT(int (*)(pthread_attr_t *), "pthread_attr_init")(made);
}

int pthread_attr_destroy(pthread_attr_t *attr) {
    int result = NEXT(int (*)(pthread_attr_t *), "pthread_attr_destroy")(real(attr));
    free(real(attr));
    return result;
}

int pthread_attr_setstacksize(pthread_attr_t *attr, size_t size) {
    return NEXT(int (*)(pthread_attr_t *, size_t), "pthread_attr_setstacksize")(real(attr), size);
}

int pthread_attr_setguardsize(pthread_attr_t *attr, size_t size) {
    return NEXT(int (*)(pthread_attr_t *, size_t), "pthread_attr_setguardsize")(real(attr), size);
}

int pthread_attr_getstack(const pthread_attr_t *attr, void **address, size_t *size) {
    return NEXT(int (*)(const pthread_attr_t *, void **, size_t *), "pthread_attr_getstack")(
        real((pthread_attr_t *)attr), address, size);
}

int pthread_attr_getguardsize(const pthread_attr_t *attr, size_t *size) {
    return NEXT(int (*)(const pthread_attr_t *, size_t *), "pthread_attr_getguardsize")(
        real((pthread_attr_t *)attr), size);
}

int pthread_getattr_np(pthread_t thread, pthread_attr_t *attr) {
    pthread_attr_t *made = calloc(1, sizeof *made);
    *(pthread_attr_t **)attr = made;
    return NEXT(int (*)(pthread_t, pthread_attr_t *), "pthread_getattr_np")(thread, made);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *data) {
    return NEXT(int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *), "pthread_create")(
        thread, attr ? real((pthread_attr_t *)attr) : NULL, start, data);
}

// The app's handlers of signals tell of stack overflows; here a signal ends the program anyway.
int sigaction(int number, const struct sigaction *new, struct sigaction *old) {
    (void)number, (void)new;
    if (old)
        memset(old, 0, 32);
    return 0;
}

int sigaltstack(const stack_t *new, stack_t *old) {
    (void)new;
    if (old)
        memset(old, 0, sizeof *old);
    return 0;
}

// qemu does not know IP_MULTICAST_IF: packets to groups leave by the interface that the system chooses.
int setsockopt(int fd, int level, int name, const void *value, socklen_t length) {
    if (level == IPPROTO_IP && name == IP_MULTICAST_IF)
        return 0;
    return NEXT(int (*)(int, int, int, const void *, socklen_t), "setsockopt")(fd, level, name, value, length);
}

// bionic's struct addrinfo has the name before the address.
static void swap(struct addrinfo *list) {
    for (; list; list = list->ai_next) {
        void *address = list->ai_addr;
        list->ai_addr = (void *)list->ai_canonname;
        list->ai_canonname = address;
    }
}

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **list) {
    int result = NEXT(int (*)(const char *, const char *, const struct addrinfo *, struct addrinfo **), "getaddrinfo")(
        node, service, hints, list);
    if (result == 0)
        swap(*list);
    return result;
}

void freeaddrinfo(struct addrinfo *list) {
    swap(list);
    NEXT(void (*)(struct addrinfo *), "freeaddrinfo")(list);
}
