#define _GNU_SOURCE

#include "CTestSupport.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/fsuid.h>
#include <unistd.h>

int ctest_pipe(int *reading, int *writing) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    *reading = ends[0];
    *writing = ends[1];
    return 0;
}

int ctest_spawn(
    pid_t *process, char *const *arguments, char *const *environment, int input, int output, int errors) {
    int streams[3] = {input, output, errors};
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_t attributes;
    int error = posix_spawnattr_init(&attributes);
    if (error != 0) return error;
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawn_file_actions_t actions;
    error = posix_spawn_file_actions_init(&actions);
    if (error == 0) {
        for (int stream = 0; stream < 3 && error == 0; stream++)
            error = streams[stream] < 0
                ? posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
                : posix_spawn_file_actions_adddup2(&actions, streams[stream], stream);
        // Also closes what a library has opened without O_CLOEXEC in another thread.
        if (error == 0) error = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
        if (error == 0)
            error = posix_spawnp(process, arguments[0], &actions, &attributes, arguments, environment);
        posix_spawn_file_actions_destroy(&actions);
    }
    posix_spawnattr_destroy(&attributes);
    return error;
}

void ctest_set_file_user(uid_t user, gid_t group) {
    setfsgid(group);
    setfsuid(user);
}
