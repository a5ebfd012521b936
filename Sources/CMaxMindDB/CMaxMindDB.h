// The header of libmaxminddb(3), which tests use to read the files that MMDBWriter writes.
#include <maxminddb.h>
