// Logs the writes and syncs of a process, so that a power failure can be simulated afterwards: unsynced data is then on
// the disk completely, partly or not at all.
//
//     cc -shared -fPIC -O2 -o power-loss.so power-loss.c
//     POWER_LOSS_FOLDER=/the/folder POWER_LOSS_LOG=/elsewhere/log LD_PRELOAD=./power-loss.so PROGRAM
//
// Each change of a file in the directory is one record of the log: the operation (1 byte), the length of the name (2
// bytes), the offset or new length (8 bytes), the length of the data (8 bytes), the name, the data. Numbers are in
// native byte order.
//   W  data was written at the offset     T  the file was truncated or extended to the length
//   S  the file was synced                D  the file was deleted
// A write is logged before it is made. A sync is logged after it has completed and before the call returns. When the
// process ends, the log may therefore contain writes that were not made, but no sync that did not complete. Writes
// through mmap(2) are not logged: SQLite uses them only for the -shm file, which it recreates after a power failure.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define DESCRIPTORS 4096

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *names[DESCRIPTORS];
static int log_descriptor = -1;

#define REAL(result, name, ...)                                 \
    static result (*real)(__VA_ARGS__);                         \
    if (!real) real = (result (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

static void fail(const char *what) {
    perror(what);
    abort();
}

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("POWER_LOSS_LOG");
    if (!path || !getenv("POWER_LOSS_FOLDER")) return;
    log_descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (log_descriptor < 0) fail(path);
}

// Returns the name of a file in the directory; NULL for any other file.
static const char *name_in_folder(const char *path) {
    const char *folder = getenv("POWER_LOSS_FOLDER");
    if (!folder || log_descriptor < 0) return NULL;
    size_t length = strlen(folder);
    if (strncmp(path, folder, length) != 0 || path[length] != '/') return NULL;
    return strchr(path + length + 1, '/') ? NULL : path + length + 1;
}

static void record(char what, const char *name, uint64_t offset, const void *data, uint64_t count) {
    struct __attribute__((packed)) {
        char what;
        uint16_t name;
        uint64_t offset, count;
    } head = {what, (uint16_t)strlen(name), offset, count};
    struct iovec parts[] = {{&head, sizeof head}, {(void *)name, head.name}, {(void *)data, count}};
    ssize_t whole = (ssize_t)(sizeof head + head.name + count);
    if (writev(log_descriptor, parts, 3) != whole) fail("the log of a power loss");
}

static const char *name_of(int descriptor) {
    return descriptor >= 0 && descriptor < DESCRIPTORS ? names[descriptor] : NULL;
}

static int opened(int descriptor, const char *path, int flags) {
    if (descriptor < 0 || descriptor >= DESCRIPTORS || descriptor == log_descriptor) return descriptor;
    pthread_mutex_lock(&lock);
    free(names[descriptor]);
    const char *name = name_in_folder(path);
    names[descriptor] = name ? strdup(name) : NULL;
    if (name && flags & O_TRUNC) record('T', name, 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    return descriptor;
}

#define OPEN(function)                                                       \
    int function(const char *path, int flags, ...) {                         \
        REAL(int, function, const char *, int, ...);                         \
        va_list rest;                                                        \
        va_start(rest, flags);                                               \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
        va_end(rest);                                                        \
        return opened(real(path, flags, mode), path, flags);                 \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(function)                                                     \
    int function(int at, const char *path, int flags, ...) {                 \
        REAL(int, function, int, const char *, int, ...);                    \
        va_list rest;                                                        \
        va_start(rest, flags);                                               \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
        va_end(rest);                                                        \
        return opened(real(at, path, flags, mode), path, flags);             \
    }
OPENAT(openat)
OPENAT(openat64)

int close(int descriptor) {
    REAL(int, close, int);
    if (name_of(descriptor)) {
        pthread_mutex_lock(&lock);
        free(names[descriptor]);
        names[descriptor] = NULL;
        pthread_mutex_unlock(&lock);
    }
    return real(descriptor);
}

#define WRITE(result, function, parameters, arguments, offset, data, count)  \
    result function parameters {                                             \
        static result(*real) parameters;                                     \
        if (!real) real = (result(*) parameters)dlsym(RTLD_NEXT, #function); \
        if (!name_of(descriptor)) return real arguments;                     \
        pthread_mutex_lock(&lock);                                           \
        record('W', name_of(descriptor), (uint64_t)(offset), data, count);   \
        result done = real arguments;                                        \
        pthread_mutex_unlock(&lock);                                         \
        return done;                                                         \
    }
WRITE(ssize_t, write, (int descriptor, const void *data, size_t count), (descriptor, data, count),
      lseek(descriptor, 0, SEEK_CUR), data, count)
WRITE(ssize_t, pwrite, (int descriptor, const void *data, size_t count, off_t offset), (descriptor, data, count, offset),
      offset, data, count)
WRITE(ssize_t, pwrite64, (int descriptor, const void *data, size_t count, off64_t offset),
      (descriptor, data, count, offset), offset, data, count)

#define CUT(function, type)                                                  \
    int function(int descriptor, type length) {                              \
        REAL(int, function, int, type);                                      \
        if (!name_of(descriptor)) return real(descriptor, length);           \
        pthread_mutex_lock(&lock);                                           \
        record('T', name_of(descriptor), (uint64_t)length, NULL, 0);         \
        int done = real(descriptor, length);                                 \
        pthread_mutex_unlock(&lock);                                         \
        return done;                                                         \
    }
CUT(ftruncate, off_t)
CUT(ftruncate64, off64_t)

#define SYNC(function)                                                       \
    int function(int descriptor) {                                           \
        REAL(int, function, int);                                            \
        if (!name_of(descriptor)) return real(descriptor);                   \
        pthread_mutex_lock(&lock);                                           \
        int done = real(descriptor);                                         \
        if (done == 0) record('S', name_of(descriptor), 0, NULL, 0);         \
        pthread_mutex_unlock(&lock);                                         \
        return done;                                                         \
    }
SYNC(fsync)
SYNC(fdatasync)

int unlink(const char *path) {
    REAL(int, unlink, const char *);
    const char *name = name_in_folder(path);
    if (!name) return real(path);
    pthread_mutex_lock(&lock);
    int done = real(path);
    if (done == 0) record('D', name, 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    return done;
}
