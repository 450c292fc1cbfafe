// SPDX-License-Identifier: GPL-3.0-only
// The phone: loads the app's library and plays the system. Reads one command a line and answers each
// with one line, `ok …` or `error …`. The commands are those of the list at the end.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "phone.h"

void *ALooper_prepare(int options);

// ANativeActivity and its callbacks, as <android/native_activity.h> lays them out.
struct activity;
struct callbacks {
    void (*start)(struct activity *);
    void (*resume)(struct activity *);
    void *(*save)(struct activity *, size_t *);
    void (*pause)(struct activity *);
    void (*stop)(struct activity *);
    void (*destroy)(struct activity *);
    void (*focus)(struct activity *, int);
    void (*window_created)(struct activity *, struct ANativeWindow *);
    void (*window_resized)(struct activity *, struct ANativeWindow *);
    void (*window_redraw)(struct activity *, struct ANativeWindow *);
    void (*window_destroyed)(struct activity *, struct ANativeWindow *);
    void (*queue_created)(struct activity *, struct AInputQueue *);
    void (*queue_destroyed)(struct activity *, struct AInputQueue *);
    void (*content_rect)(struct activity *, const int32_t *);
    void (*configuration)(struct activity *);
    void (*low_memory)(struct activity *);
};
struct activity {
    struct callbacks *callbacks;
    void *vm, *env, *object;
    const char *internal_path, *external_path;
    int32_t sdk;
    void *instance, *assets;
    const char *obb_path;
};

static void *library;
// An activity is never freed; an older one may still end while the newest runs.
static struct activity *activity, *older;
static void *intent;
static struct ANativeWindow *window;
static bool has_queue;
static FILE *answers;

static char *word(void) {
    char *next = strtok(NULL, " \n");
    return next ? next : "";
}

static int number(void) {
    return atoi(word());
}

static const char *create(void) {
    static void *vm;
    if (!vm)
        vm = phone_java_vm();
    phone_finished = false;
    older = activity;
    activity = malloc(sizeof *activity);
    *activity = (struct activity){
        .callbacks = calloc(1, sizeof(struct callbacks)),
        .vm = vm,
        .object = phone_java_object("android/app/NativeActivity"),
        .internal_path = strdup(word()),
        .external_path = "",
        .sdk = phone_settings.sdk,
        .assets = phone_java_object("android/content/res/AssetManager"),
        .obb_path = "",
    };
    phone_java_start_with(activity->object, intent ? intent : phone_java_intent("android.intent.action.MAIN", NULL, NULL, NULL, 0));
    intent = NULL;
    char *state = word();
    void (*on_create)(struct activity *, void *, size_t) = dlsym(library, "ANativeActivity_onCreate");
    if (!on_create)
        return dlerror();
    on_create(activity, *state ? state : NULL, strlen(state));
    return NULL;
}

static const char *start(void) { activity->callbacks->start(activity); return NULL; }
static const char *resume(void) { activity->callbacks->resume(activity); return NULL; }
static const char *pause_(void) { activity->callbacks->pause(activity); return NULL; }
static const char *stop(void) { activity->callbacks->stop(activity); return NULL; }
static const char *low_memory(void) { activity->callbacks->low_memory(activity); return NULL; }
static const char *focus(void) { activity->callbacks->focus(activity, number()); return NULL; }

static const char *destroy(void) {
    activity->callbacks->destroy(activity);
    return NULL;
}

// The system is done with the activity that gave way to the newest.
static const char *destroy_older(void) {
    if (!older)
        return "there is none";
    older->callbacks->stop(older);
    older->callbacks->destroy(older);
    older = NULL;
    return NULL;
}

static char *rest(void) {
    char *line = strtok(NULL, "\n");
    return line ? line : "";
}

// What the next activity is started with: view ADDRESS, again ADDRESS (from the list of recent apps),
// stream ADDRESS, send TEXT.
static const char *start_with(void) {
    char *kind = word(), *what = rest();
    const char *view = "android.intent.action.VIEW", *send = "android.intent.action.SEND";
    if (strcmp(kind, "view") == 0)
        intent = phone_java_intent(view, what, NULL, NULL, 0);
    else if (strcmp(kind, "again") == 0)
        intent = phone_java_intent(view, what, NULL, NULL, 0x100000);
    else if (strcmp(kind, "stream") == 0)
        intent = phone_java_intent(send, NULL, what, NULL, 0);
    else if (strcmp(kind, "send") == 0)
        intent = phone_java_intent(send, NULL, NULL, what, 0);
    else
        return "no such intent";
    return NULL;
}

static const char *clip(void) {
    phone_clip = strdup(rest());
    return NULL;
}

static const char *refuse(void) {
    phone_refuses = number();
    return NULL;
}

static const char *tell_line(const char *text) {
    fprintf(answers, "ok ");
    for (; text && *text; text++)
        fputc(*text == '\n' ? ' ' : *text, answers);
    fprintf(answers, "\n");
    return "";
}

static const char *clipped(void) { return tell_line(phone_clip); }
static const char *shared(void) { return tell_line(phone_shared); }

static const char *save(void) {
    size_t length = 0;
    char *state = activity->callbacks->save(activity, &length);
    fprintf(answers, "ok %.*s\n", (int)length, state ? state : "");
    free(state);
    return "";
}

static const char *surface(void) {
    int width = number(), height = number();
    if (window)
        return "there is one";
    window = phone_window_new(width, height);
    activity->callbacks->window_created(activity, window);
    activity->callbacks->window_redraw(activity, window);
    return NULL;
}

static const char *resize(void) {
    if (!window)
        return "no surface";
    int width = number(), height = number();
    phone_window_resize(window, width, height);
    activity->callbacks->window_resized(activity, window);
    activity->callbacks->window_redraw(activity, window);
    return NULL;
}

static const char *redraw(void) {
    if (!window)
        return "no surface";
    activity->callbacks->window_redraw(activity, window);
    return NULL;
}

// The system's side of the surface is gone before the app is told.
static const char *abandon(void) {
    if (!window)
        return "no surface";
    phone_window_abandon(window);
    return NULL;
}

static const char *lose(void) {
    if (!window)
        return "no surface";
    activity->callbacks->window_destroyed(activity, window);
    phone_window_release(window);
    window = NULL;
    return NULL;
}

static const char *input(void) {
    if (has_queue == (number() != 0))
        return "so it is";
    has_queue = !has_queue;
    (has_queue ? activity->callbacks->queue_created : activity->callbacks->queue_destroyed)(activity, phone_queue());
    return NULL;
}

static const char *content(void) {
    int32_t rect[4];
    for (int i = 0; i < 4; i++)
        rect[i] = number();
    activity->callbacks->content_rect(activity, rect);
    return NULL;
}

static const char *insets(void) {
    for (int i = 0; i < 4; i++)
        phone_insets[i] = number();
    return NULL;
}

static const char *cutout(void) {
    phone_has_cutout = true;
    for (int i = 0; i < 4; i++)
        phone_cutout[i] = number();
    return NULL;
}

// A language of three letters takes two bytes, as in Android's ResTable_config.
static void set_language(const char *code) {
    unsigned char *out = (unsigned char *)phone_settings.language;
    if (strlen(code) != 3) {
        strncpy(phone_settings.language, code, 2);
        return;
    }
    int first = code[0] - 'a', second = code[1] - 'a', third = code[2] - 'a';
    out[0] = (unsigned char)(0x80 | third << 2 | second >> 3);
    out[1] = (unsigned char)(second << 5 | first);
}

static const char *settings(void) {
    set_language(word());
    phone_settings.density = number();
    phone_settings.night = number();
    phone_settings.sdk = number();
    if (activity && activity->callbacks->configuration)
        activity->callbacks->configuration(activity);
    return NULL;
}

// touch ACTION INDEX ID X Y [ID X Y …]
static const char *touch(void) {
    int action = number(), index = number(), count = 0;
    struct pointer pointers[4];
    for (char *id = word(); *id && count < 4; id = word()) {
        pointers[count].id = atoi(id);
        pointers[count].x = strtof(word(), NULL);
        pointers[count++].y = strtof(word(), NULL);
    }
    phone_queue_motion(action, index, count, pointers);
    return NULL;
}

static const char *key(void) {
    int action = number(), code = number(), meta = number();
    phone_queue_key(action, code, meta, number());
    return NULL;
}

static const char *settle(void) {
    int calm = number(), limit = number();
    return phone_settle(calm, limit) ? NULL : "the app does not come to rest";
}

static const char *serve(void) {
    phone_serve(number());
    return NULL;
}

static const char *frame(void) {
    int width, height;
    if (!window || phone_window_write(window, word(), &width, &height))
        return "nothing is shown";
    fprintf(answers, "ok %d %d\n", width, height);
    return "";
}

static const char *state(void) {
    fprintf(answers, "ok frames=%llu pixels=%llu handled=%llu unhandled=%llu ticks=%d keyboard=%d finished=%d streams=%d samples=%llu loud=%llu multicast=%d\n",
            (unsigned long long)phone_frames, (unsigned long long)phone_pixels, (unsigned long long)phone_handled,
            (unsigned long long)phone_unhandled, phone_ticks, phone_keyboard_shown, phone_finished, phone_streams,
            (unsigned long long)phone_samples, (unsigned long long)phone_loud_samples, phone_multicast);
    return "";
}

static const struct {
    const char *name;
    const char *(*run)(void);
} commands[] = {
    {"create", create}, {"start", start}, {"resume", resume}, {"pause", pause_}, {"stop", stop},
    {"destroy", destroy}, {"destroy-older", destroy_older}, {"start-with", start_with}, {"clip", clip},
    {"clipped", clipped}, {"shared", shared}, {"refuse", refuse}, {"save", save}, {"focus", focus}, {"low-memory", low_memory},
    {"surface", surface}, {"resize", resize}, {"redraw", redraw}, {"abandon", abandon}, {"lose", lose},
    {"input", input}, {"content", content}, {"insets", insets}, {"cutout", cutout}, {"settings", settings},
    {"touch", touch}, {"key", key}, {"settle", settle}, {"serve", serve}, {"frame", frame}, {"state", state},
};

static const char *obey(char *line) {
    char *name = strtok(line, " \n");
    for (size_t i = 0; name && i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].name, name) == 0)
            return commands[i].run();
    return "no such command";
}

int main(int count, char **arguments) {
    // The app takes over standard output and error.
    answers = fdopen(fcntl(1, F_DUPFD, 100), "w");
    phone_log_fd = fcntl(2, F_DUPFD, 100);
    if (count != 2 || !(library = dlopen(arguments[1], RTLD_NOW))) {
        fprintf(stderr, "phone: %s\n", count == 2 ? dlerror() : "usage: phone LIBRARY");
        return 1;
    }
    ALooper_prepare(0);
    char *line = NULL;
    size_t capacity = 0;
    while (getline(&line, &capacity, stdin) > 0) {
        const char *error = obey(line);
        if (!error)
            fprintf(answers, "ok\n");
        else if (*error)
            fprintf(answers, "error %s\n", error);
        fflush(answers);
    }
    _exit(0);
}
