// SPDX-License-Identifier: GPL-3.0-only
// libandroid: loopers, input, the configuration and the activity.
#define _GNU_SOURCE
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "phone.h"

struct settings phone_settings = {"en", "US", 320, 1, 34};
uint64_t phone_handled, phone_unhandled;
bool phone_finished;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

// Loopers: one for the Java thread, one for the app's.

enum { SOURCES = 8, WAKE = -1, CALLBACK = -2, TIMEOUT = -3, FAILED = -4 };

struct source {
    int fd, identifier, events;
    int (*callback)(int fd, int events, void *data);
    void *data;
};

struct ALooper {
    int wake;
    int count;
    struct source sources[SOURCES];
    // What the Java thread sees of the app's: whether it sleeps, until when, and how often it did.
    bool sleeping;
    int64_t until;
    uint64_t sleeps;
};

static __thread struct ALooper *own;
static struct ALooper *app;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct ALooper *ALooper_prepare(int options) {
    (void)options;
    if (!own) {
        own = calloc(1, sizeof *own);
        own->wake = eventfd(0, EFD_NONBLOCK);
    }
    return own;
}

struct ALooper *ALooper_forThread(void) {
    return own;
}

void ALooper_acquire(struct ALooper *looper) {
    (void)looper;
}

void ALooper_release(struct ALooper *looper) {
    (void)looper;
}

void ALooper_wake(struct ALooper *looper) {
    uint64_t one = 1;
    if (write(looper->wake, &one, sizeof one) < 0)
        abort();
}

int ALooper_removeFd(struct ALooper *looper, int fd) {
    pthread_mutex_lock(&lock);
    for (int i = 0; i < looper->count; i++)
        if (looper->sources[i].fd == fd)
            looper->sources[i--] = looper->sources[--looper->count];
    pthread_mutex_unlock(&lock);
    return 1;
}

int ALooper_addFd(struct ALooper *looper, int fd, int identifier, int events, void *callback, void *data) {
    ALooper_removeFd(looper, fd);
    pthread_mutex_lock(&lock);
    if (looper->count == SOURCES)
        abort();
    looper->sources[looper->count++] = (struct source){fd, callback ? CALLBACK : identifier, events, callback, data};
    pthread_mutex_unlock(&lock);
    ALooper_wake(looper);
    return 1;
}

// Waits for the looper's own wake-up and its sources. What was ready is in `ready`.
static int wait(struct ALooper *looper, int timeout, struct source *ready) {
    struct pollfd fds[SOURCES + 1] = {{.fd = looper->wake, .events = POLLIN}};
    struct source sources[SOURCES];
    pthread_mutex_lock(&lock);
    int count = looper->count;
    memcpy(sources, looper->sources, sizeof sources);
    for (int i = 0; i < count; i++)
        fds[i + 1] = (struct pollfd){.fd = sources[i].fd, .events = POLLIN};
    looper->until = timeout < 0 ? INT64_MAX : now() + timeout;
    looper->sleeping = true;
    looper->sleeps++;
    pthread_mutex_unlock(&lock);
    int result = poll(fds, count + 1, timeout);
    pthread_mutex_lock(&lock);
    looper->sleeping = false;
    pthread_mutex_unlock(&lock);
    if (result <= 0)
        return TIMEOUT;
    for (int i = 0; i < count; i++)
        if (fds[i + 1].revents) {
            *ready = sources[i];
            return sources[i].identifier;
        }
    uint64_t wakes;
    return read(looper->wake, &wakes, sizeof wakes) < 0 ? FAILED : WAKE;
}

int ALooper_pollOnce(int timeout, int *fd, int *events, void **data) {
    app = own;
    struct source ready;
    int result = wait(own, timeout, &ready);
    if (result >= 0) {
        *fd = ready.fd;
        *events = 1;
        *data = ready.data;
    }
    return result;
}

void phone_serve(int milliseconds) {
    ALooper_prepare(0);
    int64_t end = now() + milliseconds;
    do {
        struct source ready;
        int left = (int)(end - now());
        if (wait(own, left < 0 ? 0 : left, &ready) == CALLBACK && !ready.callback(ready.fd, 1, ready.data))
            ALooper_removeFd(own, ready.fd);
    } while (now() < end);
}

static bool is_calm(int calm, uint64_t *sleeps) {
    pthread_mutex_lock(&lock);
    bool result = app && app->sleeping && app->until - now() >= calm;
    struct pollfd fds[SOURCES + 1];
    int count = 0;
    if (result) {
        fds[count++] = (struct pollfd){.fd = app->wake, .events = POLLIN};
        for (int i = 0; i < app->count; i++)
            fds[count++] = (struct pollfd){.fd = app->sources[i].fd, .events = POLLIN};
        *sleeps = app->sleeps;
    }
    pthread_mutex_unlock(&lock);
    return result && poll(fds, count, 0) == 0;
}

bool phone_settle(int calm, int limit) {
    int64_t end = now() + limit;
    for (;;) {
        uint64_t before = 0, after = 1;
        phone_serve(1);
        bool result = is_calm(calm, &before);
        phone_serve(1);
        if (result && is_calm(calm, &after) && before == after)
            return true;
        if (now() > end)
            return false;
    }
}

// Input.

enum { KEY = 1, MOTION = 2, POINTERS = 10, SOURCE_TOUCHSCREEN = 0x1002, SOURCE_KEYBOARD = 0x101 };

struct AInputEvent {
    struct AInputEvent *next;
    int type, action, index, count;
    struct pointer pointers[POINTERS];
    int code, meta, repeat;
};

struct AInputQueue {
    int ready; // readable while there are events
    struct AInputEvent *first, **last;
    struct ALooper *looper;
};

static struct AInputQueue *queue;

struct AInputQueue *phone_queue(void) {
    if (!queue) {
        queue = calloc(1, sizeof *queue);
        queue->ready = eventfd(0, EFD_NONBLOCK | EFD_SEMAPHORE);
        queue->last = &queue->first;
    }
    return queue;
}

static void append(struct AInputEvent event) {
    struct AInputEvent *made = malloc(sizeof *made);
    *made = event;
    made->next = NULL;
    phone_queue();
    pthread_mutex_lock(&lock);
    *queue->last = made;
    queue->last = &made->next;
    // Before the event can be taken, which takes this away.
    uint64_t one = 1;
    if (write(queue->ready, &one, sizeof one) < 0)
        abort();
    pthread_mutex_unlock(&lock);
}

void phone_queue_motion(int action, int index, int count, const struct pointer *pointers) {
    struct AInputEvent event = {.type = MOTION, .action = action | index << 8, .index = index, .count = count};
    memcpy(event.pointers, pointers, count * sizeof *pointers);
    append(event);
}

void phone_queue_key(int action, int code, int meta, int repeat) {
    append((struct AInputEvent){.type = KEY, .action = action, .code = code, .meta = meta, .repeat = repeat});
}

int32_t AInputQueue_getEvent(struct AInputQueue *from, struct AInputEvent **event) {
    pthread_mutex_lock(&lock);
    *event = from->first;
    if (from->first && !(from->first = from->first->next))
        from->last = &from->first;
    uint64_t one;
    if (*event && read(from->ready, &one, sizeof one) < 0)
        abort();
    pthread_mutex_unlock(&lock);
    return *event ? 0 : -11;
}

void phone_queue_clear(void) {
    struct AInputEvent *event;
    while (AInputQueue_getEvent(phone_queue(), &event) == 0)
        free(event);
}

int32_t AInputQueue_hasEvents(struct AInputQueue *from) {
    return from->first != NULL;
}

int32_t AInputQueue_preDispatchEvent(struct AInputQueue *from, struct AInputEvent *event) {
    (void)from, (void)event;
    return 0;
}

void AInputQueue_finishEvent(struct AInputQueue *from, struct AInputEvent *event, int handled) {
    (void)from;
    *(handled ? &phone_handled : &phone_unhandled) += 1;
    free(event);
}

void AInputQueue_attachLooper(struct AInputQueue *from, struct ALooper *looper, int identifier, void *callback, void *data) {
    from->looper = looper;
    ALooper_addFd(looper, from->ready, identifier, 1, callback, data);
}

void AInputQueue_detachLooper(struct AInputQueue *from) {
    if (from->looper)
        ALooper_removeFd(from->looper, from->ready);
}

int32_t AInputEvent_getType(const struct AInputEvent *event) {
    return event->type;
}

int32_t AInputEvent_getSource(const struct AInputEvent *event) {
    return event->type == MOTION ? SOURCE_TOUCHSCREEN : SOURCE_KEYBOARD;
}

int32_t AInputEvent_getDeviceId(const struct AInputEvent *event) {
    (void)event;
    return 1;
}

int32_t AMotionEvent_getAction(const struct AInputEvent *event) {
    return event->action;
}

size_t AMotionEvent_getPointerCount(const struct AInputEvent *event) {
    return event->count;
}

int32_t AMotionEvent_getPointerId(const struct AInputEvent *event, size_t index) {
    return event->pointers[index].id;
}

float AMotionEvent_getAxisValue(const struct AInputEvent *event, int32_t axis, size_t index) {
    return axis == 0 ? event->pointers[index].x : axis == 1 ? event->pointers[index].y : 0;
}

int32_t AKeyEvent_getAction(const struct AInputEvent *event) {
    return event->action;
}

int32_t AKeyEvent_getKeyCode(const struct AInputEvent *event) {
    return event->code;
}

int32_t AKeyEvent_getMetaState(const struct AInputEvent *event) {
    return event->meta;
}

int32_t AKeyEvent_getRepeatCount(const struct AInputEvent *event) {
    return event->repeat;
}

// The configuration.

struct settings *AConfiguration_new(void) {
    return calloc(1, sizeof(struct settings));
}

void AConfiguration_delete(struct settings *settings) {
    free(settings);
}

void AConfiguration_fromAssetManager(struct settings *out, void *manager) {
    (void)manager;
    *out = phone_settings;
}

void AConfiguration_copy(struct settings *to, struct settings *from) {
    *to = *from;
}

void AConfiguration_getLanguage(struct settings *settings, char *out) {
    memcpy(out, settings->language, 2);
}

void AConfiguration_getCountry(struct settings *settings, char *out) {
    memcpy(out, settings->country, 2);
}

#define TOLD(name, value) int32_t AConfiguration_get##name(struct settings *settings) { (void)settings; return value; }
TOLD(Density, settings->density)
TOLD(UiModeNight, settings->night)
TOLD(SdkVersion, settings->sdk)
TOLD(Keyboard, 1)
TOLD(KeysHidden, 1)
TOLD(LayoutDirection, 1)
TOLD(Mcc, 0)
TOLD(Mnc, 0)
TOLD(NavHidden, 1)
TOLD(Navigation, 1)
TOLD(Orientation, 1)
TOLD(ScreenHeightDp, 0)
TOLD(ScreenLong, 1)
TOLD(ScreenSize, 2)
TOLD(ScreenWidthDp, 0)
TOLD(SmallestScreenWidthDp, 0)
TOLD(Touchscreen, 3)
TOLD(UiModeType, 1)

int32_t AConfiguration_diff(struct settings *one, struct settings *other) {
    return memcmp(one, other, sizeof *one) != 0;
}

// The activity.

void ANativeActivity_finish(void *activity) {
    (void)activity;
    phone_finished = true;
}

void ANativeActivity_setWindowFlags(void *activity, uint32_t add, uint32_t remove) {
    (void)activity, (void)add, (void)remove;
}

void *AAssetManager_fromJava(void *environment, void *object) {
    (void)environment;
    return object;
}
