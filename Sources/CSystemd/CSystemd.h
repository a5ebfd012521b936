// libsystemd, as far as the daemon uses it: sd-daemon(3) and sd-journal(3).
#include <systemd/sd-daemon.h>
#include <systemd/sd-journal.h>
