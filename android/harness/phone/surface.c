// SPDX-License-Identifier: GPL-3.0-only
// ANativeWindow: two buffers that take turns, as the system's do. A locked buffer is filled with
// magenta where the app has to draw, so that what it leaves out is seen.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "phone.h"

uint64_t phone_frames, phone_pixels;

enum { RGBA = 1, RGBX = 2, GONE = -19, INVALID = -22 };
static const uint32_t MAGENTA = 0xFFFF00FF;

struct buffer {
    int width, height, stride;
    uint32_t *pixels;
};

struct ANativeWindow {
    pthread_mutex_t mutex;
    int references, width, height, format;
    bool abandoned, locked;
    struct buffer front, back;
};

struct rect {
    int32_t left, top, right, bottom;
};

struct locked_buffer {
    int32_t width, height, stride, format;
    void *bits;
    uint32_t reserved[6];
};

struct ANativeWindow *phone_window_new(int width, int height) {
    struct ANativeWindow *window = calloc(1, sizeof *window);
    pthread_mutex_init(&window->mutex, NULL);
    window->references = 1;
    window->width = width;
    window->height = height;
    window->format = RGBA;
    return window;
}

void ANativeWindow_acquire(struct ANativeWindow *window) {
    __atomic_add_fetch(&window->references, 1, __ATOMIC_SEQ_CST);
}

void ANativeWindow_release(struct ANativeWindow *window) {
    if (__atomic_sub_fetch(&window->references, 1, __ATOMIC_SEQ_CST) == 0) {
        free(window->front.pixels);
        free(window->back.pixels);
        free(window);
    }
}

void phone_window_release(struct ANativeWindow *window) {
    ANativeWindow_release(window);
}

void phone_window_resize(struct ANativeWindow *window, int width, int height) {
    pthread_mutex_lock(&window->mutex);
    window->width = width;
    window->height = height;
    pthread_mutex_unlock(&window->mutex);
}

void phone_window_abandon(struct ANativeWindow *window) {
    pthread_mutex_lock(&window->mutex);
    window->abandoned = true;
    pthread_mutex_unlock(&window->mutex);
}

int32_t ANativeWindow_getWidth(struct ANativeWindow *window) {
    return window->abandoned ? GONE : window->width;
}

int32_t ANativeWindow_getHeight(struct ANativeWindow *window) {
    return window->abandoned ? GONE : window->height;
}

int32_t ANativeWindow_getFormat(struct ANativeWindow *window) {
    return window->format;
}

int32_t ANativeWindow_setBuffersGeometry(struct ANativeWindow *window, int32_t width, int32_t height, int32_t format) {
    if (window->abandoned)
        return GONE;
    if (width || height || (format != RGBA && format != RGBX))
        return INVALID;
    window->format = format;
    return 0;
}

static bool fits(const struct buffer *buffer, const struct ANativeWindow *window) {
    return buffer->pixels && buffer->width == window->width && buffer->height == window->height;
}

int32_t ANativeWindow_lock(struct ANativeWindow *window, struct locked_buffer *out, struct rect *dirty) {
    pthread_mutex_lock(&window->mutex);
    if (window->abandoned || window->locked) {
        pthread_mutex_unlock(&window->mutex);
        return window->abandoned ? GONE : INVALID;
    }
    struct buffer *back = &window->back;
    if (!fits(back, window)) {
        free(back->pixels);
        *back = (struct buffer){window->width, window->height, (window->width + 31) / 16 * 16, NULL};
        back->pixels = calloc((size_t)back->stride * back->height, 4);
    }
    struct rect all = {0, 0, back->width, back->height}, part = all;
    if (dirty && fits(&window->front, window)) {
        part.left = dirty->left > 0 ? dirty->left : 0;
        part.top = dirty->top > 0 ? dirty->top : 0;
        part.right = dirty->right < all.right ? dirty->right : all.right;
        part.bottom = dirty->bottom < all.bottom ? dirty->bottom : all.bottom;
        memcpy(back->pixels, window->front.pixels, (size_t)back->stride * back->height * 4);
    }
    for (int y = part.top; y < part.bottom; y++)
        for (int x = part.left; x < part.right; x++)
            back->pixels[(size_t)y * back->stride + x] = MAGENTA;
    if (part.right > part.left && part.bottom > part.top)
        phone_pixels += (uint64_t)(part.right - part.left) * (part.bottom - part.top);
    if (dirty)
        *dirty = part;
    window->locked = true;
    *out = (struct locked_buffer){back->width, back->height, back->stride, window->format, back->pixels, {0}};
    pthread_mutex_unlock(&window->mutex);
    return 0;
}

int32_t ANativeWindow_unlockAndPost(struct ANativeWindow *window) {
    pthread_mutex_lock(&window->mutex);
    int result = !window->locked ? INVALID : window->abandoned ? GONE : 0;
    window->locked = false;
    if (result == 0) {
        struct buffer shown = window->back;
        window->back = window->front;
        window->front = shown;
        phone_frames++;
    }
    pthread_mutex_unlock(&window->mutex);
    return result;
}

int phone_window_write(struct ANativeWindow *window, const char *path, int *width, int *height) {
    pthread_mutex_lock(&window->mutex);
    struct buffer *front = &window->front;
    int result = -1;
    if (front->pixels) {
        int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0644);
        *width = front->width;
        *height = front->height;
        result = 0;
        for (int y = 0; y < front->height; y++)
            if (write(fd, front->pixels + (size_t)y * front->stride, (size_t)front->width * 4) != front->width * 4)
                result = -1;
        close(fd);
    }
    pthread_mutex_unlock(&window->mutex);
    return result;
}
