#ifndef CLINUX_H
#define CLINUX_H

// Linux interfaces that Swift's Glibc module does not provide: routing netlink, credentials of a socket's peer, timers
// that report clock steps, epoll, network namespaces. Constants and structures come from the system headers. Each call
// that Swift cannot make (variadic functions, declarations behind _GNU_SOURCE) has a wrapper with the prefix clinux_.
// Unless stated otherwise, a wrapper returns the result of the call, and the call sets errno.

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

/// The process at the other end of a connected AF_UNIX socket, at the time of the connection: SO_PEERCRED of unix(7).
struct clinux_peer {
    pid_t process;
    uid_t user;
    gid_t group;
};

/// Stores the credentials in `peer`. Returns 0, or -1 with errno.
int clinux_peer_credentials(int descriptor, struct clinux_peer *peer);

/// Stores the peer's supplementary groups at the time of the connection: SO_PEERGROUPS of unix(7), Linux 4.13 or later.
///
/// `count` is the capacity of `groups` on entry, and the number of groups on return. Returns 0, or -1 with errno.
/// ERANGE means that the capacity is too small; `count` is then the number of groups.
int clinux_peer_groups(int descriptor, gid_t *groups, size_t *count);

/// Accepts a connection from a listening socket, non-blocking and close-on-exec: accept4(2).
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
/// Urgent bytes are received inline (SO_OOBINLINE). Otherwise, the kernel would drop an urgent byte, with its
/// descriptors, while it receives another byte. Credentials and the like, which a listening socket may have been
/// configured to receive, are not received: the kernel would report them in the same manner as descriptors.
void clinux_expect_bytes(int socket);

/// The result of `clinux_receive` if descriptors accompany the next bytes.
#define CLINUX_HAS_DESCRIPTORS (-2)

/// Receives bytes without waiting, unless descriptors accompany them: recv(2).
///
/// Descriptors are never received; they stay unread together with their bytes. Dropping a descriptor (as read(2) does)
/// closes it in the calling thread. If the descriptor is the last reference to its file, closing it may block, for
/// example for a TCP socket with SO_LINGER. This also holds for descriptors that recvmsg(2) truncates, for lack of
/// space or of free descriptors.
///
/// Returns the number of bytes, CLINUX_HAS_DESCRIPTORS, or -1 with errno.
ssize_t clinux_receive(int socket, void *bytes, size_t room);

/// Sends one or more bytes with a descriptor: sendmsg(2) with SCM_RIGHTS.
///
/// Returns 0, or -1 with errno.
int clinux_send_descriptor(int socket, const void *bytes, size_t count, int descriptor, int flags);

/// Adds, changes or removes a descriptor of an epoll instance: epoll_ctl(2).
///
/// `number` is returned with each event of the descriptor. Returns 0, or -1 with errno.
int clinux_epoll_control(int epoll, int operation, int descriptor, uint32_t events, uint64_t number);

/// An event of one descriptor.
struct clinux_epoll_event {
    uint64_t number;
    uint32_t events;
};

/// Waits for events for at most `timeout` milliseconds, or indefinitely if `timeout` is -1: epoll_wait(2).
///
/// `room` is the capacity of `events`. Returns the number of events stored, at most 1,024, or -1 with errno.
int clinux_epoll_wait(int epoll, struct clinux_epoll_event *events, int room, int timeout);

/// Names the calling thread, for ps(1) and top(1): pthread_setname_np(3).
///
/// A name can be at most 15 bytes long. Returns 0, or an error number.
int clinux_name_thread(const char *name);

/// Sets the maximum size of freed memory that is kept for later allocations instead of being returned to the kernel
/// (mallopt(3)).
///
/// Returns 0, or -1 if `bytes` is too large.
int clinux_keep_memory(size_t bytes);

/// Returns freed memory to the kernel: malloc_trim(3).
void clinux_release_memory(void);

/// Moves the calling thread, and no other, into a new network namespace: unshare(2) with CLONE_NEWNET.
///
/// Sockets stay in the namespace in which they were created. Processes that the thread starts belong to the new
/// namespace.
int clinux_unshare_network(void);

/// Creates an empty file in memory that no other process can open by name, close-on-exec: memfd_create(2).
///
/// Its contents cannot be executed, if the kernel supports that (MFD_NOEXEC_SEAL, Linux 6.3). `name` is for /proc.
/// Returns its descriptor, or -1 with errno.
int clinux_memory_file(const char *name);

/// Redirects signals (signal(7)) to a pipe: the handler writes the number of each signal as one byte.
///
/// Signals stay in the pipe until they are read. Call this function once. Returns the descriptor to read from,
/// non-blocking and close-on-exec, or -1 with errno.
int clinux_signals(const int *numbers, size_t count);

#endif
