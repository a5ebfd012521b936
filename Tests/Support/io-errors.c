// Makes a process's file operations on one database fail while a control file requests it.
//
//     cc -shared -fPIC -O2 -o io-errors.so io-errors.c
//     IO_ERRORS_NAME=records.db IO_ERRORS_ORDER=/elsewhere/order LD_PRELOAD=./io-errors.so PROGRAM
//
// The first letter of the control file selects the failure. Without that file, all operations succeed.
//   w  writes fail with EIO    s  syncs fail with EIO    r  reads fail with EIO
//   o  writes fail with EROFS, as on a file system that the kernel has remounted read-only after an error
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define REAL(result, name, ...)                                 \
    static result (*real)(__VA_ARGS__);                         \
    if (!real) real = (result (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

static char order(void) {
    const char *path = getenv("IO_ERRORS_ORDER");
    int descriptor = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    char letter = 0;
    if (descriptor < 0) return 0;
    // The system call itself, because read(2) is replaced below.
    if (syscall(SYS_read, descriptor, &letter, 1) != 1) letter = 0;
    close(descriptor);
    return letter;
}

// Whether the descriptor is a file whose name begins with that of the database, such as the -wal.
static int is_concerned(int descriptor) {
    const char *name = getenv("IO_ERRORS_NAME");
    struct stat status;
    char link[64], path[PATH_MAX];
    if (!name || fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    const char *last = strrchr(path, '/');
    return last && strncmp(last + 1, name, strlen(name)) == 0;
}

// Returns the errno of a failing write, or 0.
static int error_of_writing(int descriptor) {
    if (!is_concerned(descriptor)) return 0;
    switch (order()) {
        case 'w': return EIO;
        case 'o': return EROFS;
        default: return 0;
    }
}

#define FAIL(error)            \
    do {                       \
        int code = (error);    \
        if (code) {            \
            errno = code;      \
            return -1;         \
        }                      \
    } while (0)

ssize_t pwrite64(int descriptor, const void *data, size_t count, off64_t offset) {
    REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t);
    FAIL(error_of_writing(descriptor));
    return real(descriptor, data, count, offset);
}

ssize_t pwrite(int descriptor, const void *data, size_t count, off_t offset) {
    REAL(ssize_t, pwrite, int, const void *, size_t, off_t);
    FAIL(error_of_writing(descriptor));
    return real(descriptor, data, count, offset);
}

ssize_t write(int descriptor, const void *data, size_t count) {
    REAL(ssize_t, write, int, const void *, size_t);
    FAIL(error_of_writing(descriptor));
    return real(descriptor, data, count);
}

int ftruncate64(int descriptor, off64_t length) {
    REAL(int, ftruncate64, int, off64_t);
    FAIL(error_of_writing(descriptor));
    return real(descriptor, length);
}

int ftruncate(int descriptor, off_t length) {
    REAL(int, ftruncate, int, off_t);
    FAIL(error_of_writing(descriptor));
    return real(descriptor, length);
}

int fdatasync(int descriptor) {
    REAL(int, fdatasync, int);
    FAIL(order() == 's' && is_concerned(descriptor) ? EIO : 0);
    return real(descriptor);
}

int fsync(int descriptor) {
    REAL(int, fsync, int);
    FAIL(order() == 's' && is_concerned(descriptor) ? EIO : 0);
    return real(descriptor);
}

ssize_t pread64(int descriptor, void *data, size_t count, off64_t offset) {
    REAL(ssize_t, pread64, int, void *, size_t, off64_t);
    FAIL(order() == 'r' && is_concerned(descriptor) ? EIO : 0);
    return real(descriptor, data, count, offset);
}

ssize_t pread(int descriptor, void *data, size_t count, off_t offset) {
    REAL(ssize_t, pread, int, void *, size_t, off_t);
    FAIL(order() == 'r' && is_concerned(descriptor) ? EIO : 0);
    return real(descriptor, data, count, offset);
}

ssize_t read(int descriptor, void *data, size_t count) {
    REAL(ssize_t, read, int, void *, size_t);
    FAIL(order() == 'r' && is_concerned(descriptor) ? EIO : 0);
    return real(descriptor, data, count);
}
