#ifndef CTESTSUPPORT_H
#define CTESTSUPPORT_H

// Calls for starting programs that Swift's Glibc module does not provide, because they need _GNU_SOURCE.

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

#endif
