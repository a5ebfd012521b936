// The parts of libsystemd that the daemon uses: sd-daemon(3) and sd-journal(3).
#include <systemd/sd-daemon.h>
#include <systemd/sd-journal.h>
