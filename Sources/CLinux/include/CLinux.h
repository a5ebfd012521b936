#ifndef CLINUX_H
#define CLINUX_H

// What Linux has and Swift's Glibc module leaves out: routing netlink, the credentials of a socket's peer, timers that
// tell of clock steps, network namespaces. Constants and structures come from the system's own headers; what Swift
// cannot call (variadic functions, what hides behind _GNU_SOURCE) has a function below with the same name and the
// prefix clinux_. Each returns what the call returns and leaves errno as the call left it.

#include <linux/filter.h>
#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/nexthop.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/types.h>

/// Who is at the other end of a connected AF_UNIX socket, as it was when it connected: SO_PEERCRED of unix(7).
struct clinux_peer {
    pid_t process;
    uid_t user;
    gid_t group;
};

/// Fills in `peer`; 0, or -1 with errno.
int clinux_peer_credentials(int descriptor, struct clinux_peer *peer);

/// The peer's supplementary groups at the time it connected: SO_PEERGROUPS of unix(7), Linux 4.13 on.
///
/// `count` is the room in `groups` and becomes how many there are. Returns 0, or -1 with errno; ERANGE means that there
/// was too little room, and `count` then says how much is needed.
int clinux_peer_groups(int descriptor, gid_t *groups, size_t *count);

/// Takes a connection from a listening socket, non-blocking and closed on exec: accept4(2).
///
/// Returns its descriptor, or -1 with errno.
int clinux_accept(int descriptor);

/// Makes the kernel refuse descriptors that clients pass: the sender gets EPERM. Needs SO_PASSRIGHTS (Linux 6.16).
///
/// Connections inherit the setting from their listening socket. Returns 0, or -1 with errno, which is ENOPROTOOPT on
/// older kernels.
int clinux_refuse_descriptors(int socket);

/// Returns 0 if the kernel refuses descriptors on this socket (see above), and 1 otherwise.
int clinux_may_receive_descriptors(int socket);

/// Prepares a connected AF_UNIX socket for `clinux_receive`.
///
/// Urgent bytes are received in line (SO_OOBINLINE). Otherwise the kernel drops one, with its descriptors, while it
/// receives another. Credentials and the like, which a listening socket may have been set to receive, are not received:
/// the kernel would report them as it reports descriptors.
void clinux_expect_bytes(int socket);

/// The result of `clinux_receive` if descriptors come with the next bytes.
#define CLINUX_HAS_DESCRIPTORS (-2)

/// Receives bytes without waiting, unless descriptors come with them: recv(2).
///
/// Descriptors are never received, and stay unread together with their bytes. Dropping a descriptor (as read(2) does)
/// closes it in the calling thread if nobody else has it open, which may block, for example for a TCP socket with
/// SO_LINGER. This also holds for descriptors that recvmsg(2) truncates, for lack of room or of free descriptors.
///
/// Returns the number of bytes, CLINUX_HAS_DESCRIPTORS, or -1 with errno.
ssize_t clinux_receive(int socket, void *bytes, size_t room);

/// Sends one or more bytes with a descriptor: sendmsg(2) with SCM_RIGHTS.
///
/// Returns 0, or -1 with errno.
int clinux_send_descriptor(int socket, const void *bytes, size_t count, int descriptor, int flags);

/// Adds a descriptor to those that an epoll instance watches, changes what it is watched for, or removes it: epoll_ctl(2).
///
/// `number` is told with what happens to it. Returns 0, or -1 with errno.
int clinux_epoll_control(int epoll, int operation, int descriptor, uint32_t events, uint64_t number);

/// What has happened to one descriptor.
struct clinux_epoll_event {
    uint64_t number;
    uint32_t events;
};

/// Waits for what happens to any of them, at most `timeout` milliseconds, or without an end where that is -1: epoll_wait(2).
///
/// Returns how many of `events` were filled in, at most 1,024, or -1 with errno.
int clinux_epoll_wait(int epoll, struct clinux_epoll_event *events, int room, int timeout);

/// Names the calling thread, for ps(1) and top(1): pthread_setname_np(3).
///
/// At most 15 bytes. Returns 0, or what is the matter.
int clinux_name_thread(const char *name);

/// Keeps up to so many bytes of freed memory for what is needed next, instead of giving them back at once (mallopt(3)).
///
/// Returns 0, or -1 where that is too much.
int clinux_keep_memory(size_t bytes);

/// Gives back to the kernel what it has lent and can have: freed memory (malloc_trim(3)), and the pages of the program and its
/// libraries that come from their files, and are read from there when they are needed again (madvise(2), MADV_DONTNEED).
void clinux_release_memory(void);

/// Moves the calling thread, and it alone, into a new network namespace: unshare(2) with CLONE_NEWNET.
///
/// Sockets stay in the namespace that they were made in; processes that the thread starts are born in the new one.
int clinux_unshare_network(void);

/// From now on each of these signals (signal(7)) becomes a byte with its number, to be read at the descriptor that is returned.
///
/// Nothing that comes is lost, whenever it is read: the bytes wait in a pipe. To be called once. Returns the descriptor,
/// non-blocking and closed on exec, or -1 with errno.
int clinux_signals(const int *numbers, size_t count);

#endif
