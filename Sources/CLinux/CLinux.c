// For struct ucred and unshare(2). Not in the header, where it would give structures another shape than in Glibc.
#define _GNU_SOURCE

#include "CLinux.h"

#include <sched.h>

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
