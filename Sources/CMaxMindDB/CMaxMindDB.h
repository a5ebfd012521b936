// libmaxminddb(3): the daemon searches local databases with it, and tests read the files that MMDBWriter writes.
#include <maxminddb.h>
