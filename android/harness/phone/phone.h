// SPDX-License-Identifier: GPL-3.0-only
// What the parts of the phone that only exists here have of each other. Its program (phone.c) plays
// the system: it calls the app's callbacks, and its libraries answer what the app asks.
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The app redirects its standard output and error; these stay.
extern int phone_log_fd;

// What the device is set to.
struct settings {
    char language[3], country[3];
    int density, night, sdk;
};
extern struct settings phone_settings;

// Insets that Java tells of: top, bottom, left, right; and of the cut-out.
extern int phone_insets[4], phone_cutout[4];
extern bool phone_has_cutout;
extern int phone_ticks;
extern bool phone_keyboard_shown;
extern bool phone_finished;
// The text on the clipboard, and the one that was shared last; or neither is possible.
extern char *phone_clip, *phone_shared;
extern bool phone_refuses;
// How many locks of multicast are held.
extern int phone_multicast;

// Java.
extern void *phone_java_vm(void);
extern void *phone_java_object(const char *class_name);
// With what an app is started; parts that are not there are NULL.
extern void *phone_java_intent(const char *action, const char *data, const char *stream, const char *text, int flags);
extern void phone_java_start_with(void *activity, void *intent);

// Surfaces.
struct ANativeWindow;
struct ANativeWindow *phone_window_new(int width, int height);
void phone_window_resize(struct ANativeWindow *window, int width, int height);
void phone_window_abandon(struct ANativeWindow *window);
void phone_window_release(struct ANativeWindow *window);
// Writes what is on the screen as RGBA to a file: 0, or -1 if nothing was shown yet.
int phone_window_write(struct ANativeWindow *window, const char *path, int *width, int *height);
extern uint64_t phone_frames, phone_pixels;

// Input.
struct pointer {
    int id;
    float x, y;
};
struct AInputQueue;
struct AInputQueue *phone_queue(void);
void phone_queue_motion(int action, int index, int count, const struct pointer *pointers);
void phone_queue_key(int action, int code, int meta, int repeat);
void phone_queue_clear(void);
extern uint64_t phone_handled, phone_unhandled;

// The loopers: waits until the app sleeps with nothing left to do and at least `calm`
// milliseconds to go, serving the Java thread meanwhile. False after `limit` milliseconds.
bool phone_settle(int calm, int limit);
// Serves the Java thread for some milliseconds, or until standard input has something.
void phone_serve(int milliseconds);

// Sound.
extern int phone_streams;
extern uint64_t phone_samples, phone_loud_samples;
