// SPDX-License-Identifier: GPL-3.0-only
// What the standard library asks of libunwind when a panic ends the program: nothing is unwound and
// there are no frames to tell of.

typedef int (*trace_function)(void *, void *);

int _Unwind_Backtrace(trace_function trace, void *argument) {
    (void)trace, (void)argument;
    return 5; // _URC_END_OF_STACK
}

unsigned long _Unwind_GetIP(void *context) {
    (void)context;
    return 0;
}

unsigned long _Unwind_GetCFA(void *context) {
    (void)context;
    return 0;
}

void *_Unwind_FindEnclosingFunction(void *address) {
    (void)address;
    return 0;
}
