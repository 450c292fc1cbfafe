// SPDX-License-Identifier: GPL-3.0-only
// A Java machine without Java: every class exists, and the few methods that the app calls answer.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "phone.h"

int phone_insets[4], phone_cutout[4];
bool phone_has_cutout;
int phone_ticks;
bool phone_keyboard_shown;

struct object {
    char *class_name; // "java/lang/String", …
    char *text;       // of a string, or the name of the class that a class object stands for
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
    (void)object;
    if (is(method, "loadClass") || is(method, "forName"))
        return find_class(e, arguments[0].l->text);
    if (is(method, "getDisplayCutout") && !phone_has_cutout)
        return NULL;
    return of_signature(method->signature);
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
    // KeyCharacterMap.get: letters and digits of an English keyboard.
    if (is(method, "get") && strstr(object->class_name, "KeyCharacterMap")) {
        int code = arguments[0].i, shift = arguments[1].i & 1;
        if (29 <= code && code <= 54)
            return (shift ? 'A' : 'a') + code - 29;
        if (7 <= code && code <= 16)
            return '0' + code - 7;
        return code == 62 ? ' ' : 0;
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
    (void)e, (void)method, (void)arguments;
    return phone_java_new(class->text, NULL);
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
    functions[15] = functions[19] = functions[26] = zero;
    functions[16] = functions[17] = functions[22] = functions[23] = nothing;
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
    functions[63] = functions[143] = nothing;
    functions[145] = get_static_object;
    functions[167] = new_string;
    functions[164] = functions[168] = string_length;
    functions[169] = string_chars;
    functions[170] = functions[227] = nothing;
    functions[217] = functions[218] = zero;
    functions[219] = get_java_vm;
    functions[221] = string_region;
    functions[228] = zero;
    functions[232] = reference_type;
    java_vm[4] = attach;
    java_vm[5] = detach;
    java_vm[6] = get_env;
    java_vm[7] = attach;
    attached = true;
    return &vm_pointer;
}
