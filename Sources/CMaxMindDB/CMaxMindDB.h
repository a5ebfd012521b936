// The parts of libmaxminddb that the daemon uses: libmaxminddb(3).
#include <maxminddb.h>
