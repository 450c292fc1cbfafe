// SPDX-License-Identifier: GPL-3.0-only
// A Java machine without Java: every class exists, and the few methods that the app calls answer.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "phone.h"

int phone_insets[4], phone_cutout[4];
bool phone_has_cutout;
int phone_ticks;
bool phone_keyboard_shown;
char *phone_clip, *phone_shared;
bool phone_refuses;
int phone_multicast;

struct object {
    char *class_name; // "java/lang/String", …
    char *text;       // of a string, or the name of the class that a class object stands for
    struct extra *extras;
};

// What an intent carries, and what belongs to another object.
struct extra {
    struct extra *next;
    char *name;
    struct object *value;
};

struct method {
    char *name, *signature;
};

union value {
    uint8_t z;
    int32_t i;
    int64_t j;
    struct object *l;
};

typedef const void *const *env;

struct object *phone_java_new(const char *class_name, const char *text) {
    struct object *object = calloc(1, sizeof *object);
    object->class_name = strdup(class_name);
    object->text = text ? strdup(text) : NULL;
    return object;
}

void *phone_java_object(const char *class_name) {
    return phone_java_new(class_name, NULL);
}

static bool is(const struct method *method, const char *name) {
    return strcmp(method->name, name) == 0;
}

static struct object *put(struct object *object, const char *name, struct object *value) {
    struct extra *extra = malloc(sizeof *extra);
    *extra = (struct extra){object->extras, strdup(name), value};
    object->extras = extra;
    return object;
}

static struct object *got(struct object *object, const char *name) {
    for (struct extra *extra = object ? object->extras : NULL; extra; extra = extra->next)
        if (strcmp(extra->name, name) == 0)
            return extra->value;
    return NULL;
}

static struct object *string(const char *text) {
    return text ? phone_java_new("java/lang/String", text) : NULL;
}

void *phone_java_intent(const char *action, const char *data, const char *stream, const char *text, int flags) {
    struct object *intent = phone_java_new("android/content/Intent", action);
    char number[20];
    snprintf(number, sizeof number, "%d", flags);
    put(intent, "flags", string(number));
    put(intent, "data", string(data));
    if (stream)
        put(intent, "android.intent.extra.STREAM", phone_java_new("android/net/Uri", stream));
    return put(intent, "android.intent.extra.TEXT", string(text));
}

void phone_java_start_with(void *activity, void *intent) {
    put(activity, "intent", intent);
}

// What was thrown and not caught, on each thread.
static __thread struct object *thrown;

static struct object *throw(const char *class_name, const char *message) {
    thrown = phone_java_new(class_name, message);
    return NULL;
}

static struct object *exception(env e) {
    (void)e;
    return thrown;
}

static uint8_t has_exception(env e) {
    (void)e;
    return thrown != NULL;
}

static void clear_exception(env e) {
    (void)e;
    thrown = NULL;
}

// Addresses of files begin with this; the rest is the path here.
static const char *path_of(const struct object *address) {
    static const char start[] = "content://here";
    return strncmp(address->text, start, sizeof start - 1) == 0 ? address->text + sizeof start - 1 : NULL;
}

// References are never freed: a run is short.
static struct object *same(env e, struct object *object) {
    (void)e;
    return object;
}

static void nothing(void) {}

static int32_t zero(void) {
    return 0;
}

static int32_t version(env e) {
    (void)e;
    return 0x00010006;
}

static struct object *find_class(env e, const char *name) {
    (void)e;
    return phone_java_new("java/lang/Class", name);
}

static struct object *get_object_class(env e, struct object *object) {
    return find_class(e, object->class_name);
}

static uint8_t is_assignable(env e, struct object *from, struct object *to) {
    (void)e, (void)from, (void)to;
    return 1;
}

static uint8_t is_same(env e, struct object *one, struct object *other) {
    (void)e;
    return one == other;
}

static struct object *pop_local_frame(env e, struct object *kept) {
    (void)e;
    return kept;
}

static struct method *get_method(env e, struct object *class, const char *name, const char *signature) {
    (void)e, (void)class;
    struct method *method = malloc(sizeof *method);
    *method = (struct method){strdup(name), strdup(signature)};
    return method;
}

// The class of what a method or field gives: "(I)Landroid/view/View;" → "android/view/View".
static struct object *of_signature(const char *signature) {
    const char *given = strchr(signature, ')');
    given = given ? given + 1 : signature;
    if (*given != 'L')
        return phone_java_new(given, NULL);
    char *name = strdup(given + 1);
    name[strcspn(name, ";")] = 0;
    struct object *object = phone_java_new(name, strcmp(name, "java/lang/String") == 0 ? "" : NULL);
    free(name);
    return object;
}

static struct object *call_object(env e, struct object *object, struct method *method, union value *arguments) {
    if (is(method, "loadClass") || is(method, "forName"))
        return find_class(e, arguments[0].l->text);
    if (is(method, "getDisplayCutout") && !phone_has_cutout)
        return NULL;
    if (is(method, "toString") || is(method, "getMessage") || is(method, "getName") || is(method, "getAction"))
        return string(object->text ? object->text : "");

    // Intents.
    if (is(method, "getIntent"))
        return got(object, "intent");
    if (is(method, "getDataString"))
        return got(object, "data");
    if (is(method, "getParcelableExtra") || is(method, "getCharSequenceExtra"))
        return got(object, arguments[0].l->text);
    if (is(method, "putExtra"))
        return put(object, arguments[0].l->text, arguments[1].l);
    if (is(method, "setType"))
        return put(object, "type", arguments[0].l);
    if (is(method, "createChooser"))
        return put(phone_java_new("android/content/Intent", "android.intent.action.CHOOSER"), "intent", arguments[0].l);

    // Files of other apps.
    if (is(method, "parse"))
        return phone_java_new("android/net/Uri", arguments[0].l->text);
    if (is(method, "query")) {
        const char *path = path_of(arguments[0].l);
        return path ? phone_java_new("android/database/Cursor", strrchr(path, '/') + 1) : NULL;
    }
    if (is(method, "getString"))
        return string(object->text);
    if (is(method, "openFileDescriptor")) {
        const char *path = path_of(arguments[0].l);
        if (!path)
            return throw("java/lang/SecurityException", "Permission Denial: not yours");
        if (access(path, R_OK))
            return throw("java/io/FileNotFoundException", "No such file");
        return phone_java_new("android/os/ParcelFileDescriptor", path);
    }

    // The clipboard.
    if (is(method, "newPlainText"))
        return phone_java_new("android/content/ClipData", arguments[1].l->text);
    if (is(method, "getPrimaryClip"))
        return phone_clip ? phone_java_new("android/content/ClipData", phone_clip) : NULL;
    if (is(method, "getItemAt"))
        return phone_java_new("android/content/ClipData$Item", object->text);
    if (is(method, "coerceToText"))
        return string(object->text);
    return of_signature(method->signature);
}

static void call_void(env e, struct object *object, struct method *method, union value *arguments) {
    (void)e, (void)object;
    if (is(method, "setPrimaryClip")) {
        if (phone_refuses)
            throw("java/lang/SecurityException", "no clipboard for you");
        else
            phone_clip = strdup(arguments[0].l->text);
    }
    if (is(method, "acquire") || is(method, "release"))
        phone_multicast += is(method, "acquire") ? 1 : -1;
    if (is(method, "startActivity")) {
        struct object *sent = got(arguments[0].l, "intent"), *text = got(sent, "android.intent.extra.TEXT");
        if (phone_refuses)
            throw("android/content/ActivityNotFoundException", "No Activity found");
        else if (text && strcmp(sent->text, "android.intent.action.SEND") == 0 && strcmp(got(sent, "type")->text, "text/plain") == 0)
            phone_shared = strdup(text->text);
    }
}

static int32_t call_int(env e, struct object *object, struct method *method, union value *arguments) {
    (void)e;
    static const char *sides[] = {"Top", "Bottom", "Left", "Right"};
    for (int side = 0; side < 4; side++) {
        char name[40];
        snprintf(name, sizeof name, "getSystemWindowInset%s", sides[side]);
        if (is(method, name))
            return phone_insets[side];
        snprintf(name, sizeof name, "getSafeInset%s", sides[side]);
        if (is(method, name))
            return phone_cutout[side];
    }
    if (is(method, "getFlags"))
        return atoi(got(object, "flags")->text);
    if (is(method, "detachFd"))
        return open(object->text, O_RDONLY | O_CLOEXEC);
    // KeyCharacterMap.get: letters, digits, full stop and colon of an English keyboard.
    if (is(method, "get") && strstr(object->class_name, "KeyCharacterMap")) {
        int code = arguments[0].i, shift = arguments[1].i & 1;
        if (29 <= code && code <= 54)
            return (shift ? 'A' : 'a') + code - 29;
        if (7 <= code && code <= 16)
            return '0' + code - 7;
        return code == 62 ? ' ' : code == 56 && !shift ? '.' : code == 74 && shift ? ':' : 0;
    }
    return 0;
}

static uint8_t call_boolean(env e, struct object *object, struct method *method, union value *arguments) {
    (void)e, (void)object, (void)arguments;
    if (is(method, "performHapticFeedback"))
        phone_ticks++;
    if (is(method, "showSoftInput"))
        phone_keyboard_shown = true;
    if (is(method, "hideSoftInputFromWindow"))
        phone_keyboard_shown = false;
    return 1;
}

static struct object *new_object(env e, struct object *class, struct method *method, union value *arguments) {
    (void)e;
    bool has_text = strstr(method->signature, "(Ljava/lang/String;)");
    return phone_java_new(class->text, has_text ? arguments[0].l->text : NULL);
}

static struct object *get_static_object(env e, struct object *class, struct method *field) {
    (void)e, (void)class;
    return of_signature(field->signature);
}

static struct object *new_string(env e, const char *text) {
    (void)e;
    return phone_java_new("java/lang/String", text);
}

static int32_t string_length(env e, struct object *string) {
    (void)e;
    return string->text ? (int32_t)strlen(string->text) : 0;
}

static const char *string_chars(env e, struct object *string, uint8_t *copied) {
    (void)e;
    if (copied)
        *copied = 0;
    return string->text ? string->text : "";
}

static void string_region(env e, struct object *string, int32_t start, int32_t length, char *into) {
    (void)e;
    memcpy(into, string->text + start, length);
    into[length] = 0;
}

static void *java_vm[8];
static void *vm_pointer = java_vm;

static int32_t get_java_vm(env e, void **vm) {
    (void)e;
    *vm = &vm_pointer;
    return 0;
}

static int32_t reference_type(env e, struct object *object) {
    (void)e;
    return object ? 2 : 0; // global
}

static void unknown(void) {
    dprintf(phone_log_fd, "F phone: a function of JNI that the phone does not have\n");
    abort();
}

// Indices of the table in the JNI specification.
static void *functions[235];
static void *env_pointer = functions;
static __thread bool attached;

static int32_t attach(void *vm, void **e, void *arguments) {
    (void)vm, (void)arguments;
    attached = true;
    *e = &env_pointer;
    return 0;
}

static int32_t detach(void *vm) {
    (void)vm;
    attached = false;
    return 0;
}

static int32_t get_env(void *vm, void **e, int32_t wanted) {
    (void)vm, (void)wanted;
    *e = attached ? &env_pointer : NULL;
    return attached ? 0 : -2;
}

void *phone_java_vm(void) {
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        functions[i] = unknown;
    functions[4] = version;
    functions[6] = find_class;
    functions[11] = is_assignable;
    functions[19] = functions[26] = functions[171] = zero;
    functions[15] = exception;
    functions[17] = clear_exception;
    functions[16] = functions[22] = functions[23] = nothing;
    functions[20] = pop_local_frame;
    functions[21] = functions[25] = functions[226] = same;
    functions[24] = is_same;
    functions[30] = new_object;
    functions[31] = get_object_class;
    functions[32] = is_assignable;
    functions[33] = functions[113] = functions[94] = functions[144] = get_method;
    functions[36] = functions[116] = call_object;
    functions[39] = functions[119] = call_boolean;
    functions[51] = functions[131] = call_int;
    functions[63] = call_void;
    functions[143] = nothing;
    functions[145] = get_static_object;
    functions[167] = new_string;
    functions[164] = functions[168] = string_length;
    functions[169] = string_chars;
    functions[170] = functions[227] = nothing;
    functions[217] = functions[218] = zero;
    functions[219] = get_java_vm;
    functions[221] = string_region;
    functions[228] = has_exception;
    functions[232] = reference_type;
    java_vm[4] = attach;
    java_vm[5] = detach;
    java_vm[6] = get_env;
    java_vm[7] = attach;
    attached = true;
    return &vm_pointer;
}
