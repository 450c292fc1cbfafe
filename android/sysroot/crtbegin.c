// SPDX-License-Identifier: GPL-3.0-only
// What a shared object needs at its beginning, where no NDK is there to bring it: a handle of its
// own, and its destructors run when it is unloaded.

extern void __cxa_finalize(void *);

__attribute__((visibility("hidden"))) void *__dso_handle = &__dso_handle;

__attribute__((destructor)) static void finalize(void) {
    __cxa_finalize(&__dso_handle);
}
