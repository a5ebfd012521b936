// Needed for struct ucred and unshare(2). The header does not define this macro, because the structures there would
// then differ from those of Glibc.
#define _GNU_SOURCE

#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
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
    // The kernel allows at most 65,536 groups (NGROUPS_MAX), so the length fits.
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

// SO_PASSRIGHTS was added in Linux 6.16. Older headers do not define it (asm-generic/socket.h).
#ifndef SO_PASSRIGHTS
#define SO_PASSRIGHTS 83
#endif

int clinux_refuse_descriptors(int socket) {
    int off = 0;
    return setsockopt(socket, SOL_SOCKET, SO_PASSRIGHTS, &off, sizeof off);
}

int clinux_may_receive_descriptors(int socket) {
    int on = 1;
    socklen_t length = sizeof on;
    return getsockopt(socket, SOL_SOCKET, SO_PASSRIGHTS, &on, &length) != 0 || on != 0;
}

// SO_PASSPIDFD was added in Linux 6.5. Older headers do not define it (asm-generic/socket.h).
#ifndef SO_PASSPIDFD
#define SO_PASSPIDFD 76
#endif

void clinux_expect_bytes(int socket) {
    int on = 1;
    int off = 0;
    (void)setsockopt(socket, SOL_SOCKET, SO_OOBINLINE, &on, sizeof on);
    // These calls fail if the kernel does not support the option.
    (void)setsockopt(socket, SOL_SOCKET, SO_PASSCRED, &off, sizeof off);
    (void)setsockopt(socket, SOL_SOCKET, SO_PASSSEC, &off, sizeof off);
    (void)setsockopt(socket, SOL_SOCKET, SO_PASSPIDFD, &off, sizeof off);
}

ssize_t clinux_receive(int socket, void *bytes, size_t room) {
    struct iovec part = {.iov_base = bytes, .iov_len = room};
    // There is no space for descriptors, so the kernel reports them as truncated. They are not dropped, because the
    // bytes that they accompany stay unread (MSG_PEEK).
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    ssize_t seen = recvmsg(socket, &message, MSG_PEEK | MSG_DONTWAIT);
    if (seen <= 0) return seen;
    if (message.msg_flags & MSG_CTRUNC) return CLINUX_HAS_DESCRIPTORS;
    return recv(socket, bytes, (size_t)seen, MSG_DONTWAIT);
}

int clinux_send_descriptor(int socket, const void *bytes, size_t count, int descriptor, int flags) {
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control = {.header = {.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS}};
    memcpy(CMSG_DATA(&control.header), &descriptor, sizeof descriptor);
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    return sendmsg(socket, &message, flags | MSG_NOSIGNAL) < 0 ? -1 : 0;
}

int clinux_memory_file(const char *name) {
    // MFD_NOEXEC_SEAL, which Debian 12's headers do not contain.
    const unsigned no_exec_seal = 0x8;
    int descriptor = memfd_create(name, MFD_CLOEXEC | no_exec_seal);
    return descriptor < 0 && errno == EINVAL ? memfd_create(name, MFD_CLOEXEC) : descriptor;
}

// The write end of the pipe. The signal handler may write to it on any thread.
static int signal_pipe = -1;

static void on_signal(int number) {
    int before = errno;
    unsigned char byte = (unsigned char)number;
    // If the pipe is full, thousands of signals are pending, and dropping one more makes no difference.
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
    // The kernel's structure has the attribute packed, which Swift does not import.
    struct epoll_event found[1024];
    int count = epoll_wait(epoll, found, room < 1024 ? room : 1024, timeout);
    for (int place = 0; place < count; place++) {
        events[place].number = found[place].data.u64;
        events[place].events = found[place].events;
    }
    return count;
}

int clinux_keep_memory(size_t bytes) {
    return mallopt(M_TRIM_THRESHOLD, (int)bytes) == 1 && mallopt(M_MMAP_THRESHOLD, (int)bytes) == 1 ? 0 : -1;
}

void clinux_release_memory(void) {
    malloc_trim(0);
}

int clinux_name_thread(const char *name) {
    return pthread_setname_np(pthread_self(), name);
}
