// libmaxminddb(3), with which tests read the files of MMDBWriter.
#include <maxminddb.h>
