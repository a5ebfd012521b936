// For struct ucred and unshare(2). Not in the header, where it would give structures another shape than in Glibc.
#define _GNU_SOURCE

#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

int clinux_peer_credentials(int descriptor, struct clinux_peer *peer) {
    struct ucred credentials;
    socklen_t length = sizeof credentials;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0) return -1;
    peer->process = credentials.pid;
    peer->user = credentials.uid;
    peer->group = credentials.gid;
    return 0;
}

int clinux_peer_groups(int descriptor, gid_t *groups, size_t *count) {
    // 65,536 groups are the kernel's most (NGROUPS_MAX); the length fits.
    socklen_t length = (socklen_t)(*count * sizeof *groups);
    int result = getsockopt(descriptor, SOL_SOCKET, SO_PEERGROUPS, groups, &length);
    *count = length / sizeof *groups;
    return result;
}

int clinux_unshare_network(void) {
    return unshare(CLONE_NEWNET);
}

int clinux_accept(int descriptor) {
    return accept4(descriptor, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

// Where the bytes go in; read by the handler, which may run on any thread.
static int signal_pipe = -1;

static void on_signal(int number) {
    int before = errno;
    unsigned char byte = (unsigned char)number;
    // Where the pipe is full, tens of thousands wait already, and one more says nothing new.
    ssize_t written = write(signal_pipe, &byte, 1);
    (void)written;
    errno = before;
}

int clinux_signals(const int *numbers, size_t count) {
    int ends[2];
    if (pipe2(ends, O_NONBLOCK | O_CLOEXEC) != 0) return -1;
    signal_pipe = ends[1];
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigfillset(&action.sa_mask);
    for (size_t place = 0; place < count; place++) {
        if (sigaction(numbers[place], &action, NULL) != 0) return -1;
    }
    return ends[0];
}

int clinux_epoll_control(int epoll, int operation, int descriptor, uint32_t events, uint64_t number) {
    struct epoll_event event = {.events = events, .data.u64 = number};
    return epoll_ctl(epoll, operation, descriptor, &event);
}

int clinux_epoll_wait(int epoll, struct clinux_epoll_event *events, int room, int timeout) {
    // The kernel's structure is packed, which Swift does not know.
    struct epoll_event found[1024];
    int count = epoll_wait(epoll, found, room < 1024 ? room : 1024, timeout);
    for (int place = 0; place < count; place++) {
        events[place].number = found[place].data.u64;
        events[place].events = found[place].events;
    }
    return count;
}

// What a program or library consists of and nobody writes to is in its file, and is read from there again.
static int release_object(struct dl_phdr_info *object, size_t size, void *unused) {
    (void)size;
    (void)unused;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int number = 0; number < object->dlpi_phnum; number++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[number];
        if (segment->p_type != PT_LOAD || segment->p_flags & PF_W) continue;
        uintptr_t start = (object->dlpi_addr + segment->p_vaddr) & ~(page - 1);
        uintptr_t end = object->dlpi_addr + segment->p_vaddr + segment->p_memsz;
        // The kernel's own (vdso(7)) cannot be released, and takes nothing.
        (void)madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

int clinux_keep_memory(size_t bytes) {
    return mallopt(M_TRIM_THRESHOLD, (int)bytes) == 1 && mallopt(M_MMAP_THRESHOLD, (int)bytes) == 1 ? 0 : -1;
}

void clinux_release_memory(void) {
    malloc_trim(0);
    dl_iterate_phdr(release_object, NULL);
}

int clinux_name_thread(const char *name) {
    return pthread_setname_np(pthread_self(), name);
}
