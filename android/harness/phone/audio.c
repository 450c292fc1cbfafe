// SPDX-License-Identifier: GPL-3.0-only
// libaaudio: streams that ask for samples in real time and count those that would be heard.
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "phone.h"

int phone_streams;
uint64_t phone_samples, phone_loud_samples;

typedef int32_t (*data_callback)(void *stream, void *user, void *samples, int32_t frames);

enum { RATE = 48000, BURST = 480, STATE_OPEN = 2, STATE_STARTED = 4, STATE_PAUSED = 6, STATE_STOPPED = 10, STATE_CLOSED = 12 };

struct stream {
    int channels, format, rate, capacity;
    data_callback callback;
    void *user;
    int state;
    pthread_t thread;
    bool running;
};

int32_t AAudio_createStreamBuilder(struct stream **builder) {
    *builder = calloc(1, sizeof **builder);
    **builder = (struct stream){.channels = 2, .format = 2, .rate = RATE, .capacity = 4 * BURST};
    return 0;
}

int32_t AAudioStreamBuilder_delete(struct stream *builder) {
    free(builder);
    return 0;
}

void AAudioStreamBuilder_setChannelCount(struct stream *builder, int32_t count) {
    builder->channels = count;
}

void AAudioStreamBuilder_setFormat(struct stream *builder, int32_t format) {
    builder->format = format;
}

void AAudioStreamBuilder_setSampleRate(struct stream *builder, int32_t rate) {
    builder->rate = rate;
}

void AAudioStreamBuilder_setDataCallback(struct stream *builder, data_callback callback, void *user) {
    builder->callback = callback;
    builder->user = user;
}

#define IGNORED(name) void AAudioStreamBuilder_set##name(struct stream *builder, int32_t value) { (void)builder, (void)value; }
IGNORED(BufferCapacityInFrames)
IGNORED(Direction)
IGNORED(FramesPerDataCallback)
IGNORED(PerformanceMode)
IGNORED(SharingMode)
IGNORED(DeviceId)
IGNORED(Usage)
IGNORED(ContentType)

void AAudioStreamBuilder_setErrorCallback(struct stream *builder, void *callback, void *user) {
    (void)builder, (void)callback, (void)user;
}

int32_t AAudioStreamBuilder_openStream(struct stream *builder, struct stream **stream) {
    *stream = malloc(sizeof **stream);
    **stream = *builder;
    (*stream)->state = STATE_OPEN;
    return 0;
}

static void *play(void *data) {
    struct stream *stream = data;
    float *samples = malloc(sizeof(float) * BURST * stream->channels);
    while (stream->running) {
        memset(samples, 0, sizeof(float) * BURST * stream->channels);
        if (stream->callback(stream, stream->user, samples, BURST) != 0)
            break;
        for (int i = 0; i < BURST * stream->channels; i++) {
            float sample = stream->format == 2 ? samples[i] : ((int16_t *)samples)[i] / 32768.f;
            phone_samples++;
            phone_loud_samples += fabsf(sample) > 0.01f;
        }
        nanosleep(&(struct timespec){.tv_nsec = 1000000000L / RATE * BURST}, NULL);
    }
    free(samples);
    return NULL;
}

static int32_t halt(struct stream *stream, int state) {
    if (stream->running) {
        stream->running = false;
        pthread_join(stream->thread, NULL);
        phone_streams--;
    }
    stream->state = state;
    return 0;
}

int32_t AAudioStream_requestStart(struct stream *stream) {
    if (!stream->running) {
        stream->running = true;
        phone_streams++;
        pthread_create(&stream->thread, NULL, play, stream);
    }
    stream->state = STATE_STARTED;
    return 0;
}

int32_t AAudioStream_requestPause(struct stream *stream) {
    return halt(stream, STATE_PAUSED);
}

int32_t AAudioStream_requestFlush(struct stream *stream) {
    (void)stream;
    return 0;
}

int32_t AAudioStream_requestStop(struct stream *stream) {
    return halt(stream, STATE_STOPPED);
}

int32_t AAudioStream_close(struct stream *stream) {
    halt(stream, STATE_CLOSED);
    free(stream);
    return 0;
}

int32_t AAudioStream_waitForStateChange(struct stream *stream, int32_t from, int32_t *next, int64_t timeout) {
    (void)from, (void)timeout;
    *next = stream->state;
    return 0;
}

int32_t AAudioStream_getTimestamp(struct stream *stream, int clock, int64_t *frame, int64_t *time) {
    (void)stream, (void)clock, (void)frame, (void)time;
    return -895; // AAUDIO_ERROR_INVALID_STATE
}

#define TOLD(name, value) int32_t AAudioStream_get##name(struct stream *stream) { (void)stream; return value; }
TOLD(State, stream->state)
TOLD(ChannelCount, stream->channels)
TOLD(SampleRate, stream->rate)
TOLD(Format, stream->format)
TOLD(FramesPerBurst, BURST)
TOLD(FramesPerDataCallback, BURST)
TOLD(BufferCapacityInFrames, stream->capacity)
TOLD(BufferSizeInFrames, 2 * BURST)
TOLD(PerformanceMode, 12)
TOLD(SharingMode, 1)
TOLD(XRunCount, 0)

int32_t AAudioStream_setBufferSizeInFrames(struct stream *stream, int32_t frames) {
    (void)stream;
    return frames;
}

int64_t AAudioStream_getFramesWritten(struct stream *stream) {
    (void)stream;
    return 0;
}

int64_t AAudioStream_getFramesRead(struct stream *stream) {
    (void)stream;
    return 0;
}

const char *AAudio_convertResultToText(int32_t result) {
    (void)result;
    return "a result";
}
