#ifndef CTESTSUPPORT_H
#define CTESTSUPPORT_H

// System calls that Swift's Glibc module does not provide.

#include <sys/types.h>

/// Creates a pipe whose ends are close-on-exec: pipe2(2). Returns 0, or -1 with errno.
int ctest_pipe(int *reading, int *writing);

/// Starts a program in a process group of its own, with the default action for every signal and no signal blocked:
/// posix_spawnp(3).
///
/// It inherits its three standard streams and no other descriptor. A stream of -1 is /dev/null. Returns 0, or an error
/// number.
int ctest_spawn(
    pid_t *process, char *const *arguments, char *const *environment, int input, int output, int errors);

/// Sets the user and the group as whom this thread accesses files: setfsuid(2), setfsgid(2).
///
/// Only root can set others than its own. Another user than root has none of root's permissions for files.
void ctest_set_file_user(uid_t user, gid_t group);

#endif
