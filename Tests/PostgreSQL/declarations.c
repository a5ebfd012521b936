// Fails to compile unless the declarations of CPostgres are those of libpq-fe.h.

#include <libpq-fe.h>
#include <stddef.h>

#include "CPostgres.h"

#define SAME_VALUE(ours, theirs) _Static_assert((ours) == (int)(theirs), #theirs);
SAME_VALUE(CPOSTGRES_CONNECTION_OK, CONNECTION_OK)
SAME_VALUE(CPOSTGRES_POLLING_READING, PGRES_POLLING_READING)
SAME_VALUE(CPOSTGRES_POLLING_WRITING, PGRES_POLLING_WRITING)
SAME_VALUE(CPOSTGRES_POLLING_OK, PGRES_POLLING_OK)
SAME_VALUE(CPOSTGRES_EMPTY_QUERY, PGRES_EMPTY_QUERY)
SAME_VALUE(CPOSTGRES_COMMAND_OK, PGRES_COMMAND_OK)
SAME_VALUE(CPOSTGRES_TUPLES_OK, PGRES_TUPLES_OK)
SAME_VALUE(CPOSTGRES_FATAL_ERROR, PGRES_FATAL_ERROR)
SAME_VALUE(CPOSTGRES_ERRORS_VERBOSE, PQERRORS_VERBOSE)

#define SAME_PLACE(ours, theirs, field)                                                      \
    _Static_assert(offsetof(struct ours, field) == offsetof(theirs, field), #field);         \
    _Static_assert(sizeof(((struct ours *)0)->field) == sizeof(((theirs *)0)->field), #field);
SAME_PLACE(cpostgres_option, PQconninfoOption, keyword)
SAME_PLACE(cpostgres_option, PQconninfoOption, val)
SAME_PLACE(cpostgres_option, PQconninfoOption, dispchar)
_Static_assert(sizeof(struct cpostgres_option) == sizeof(PQconninfoOption), "PQconninfoOption");
SAME_PLACE(cpostgres_notification, PGnotify, relname)
SAME_PLACE(cpostgres_notification, PGnotify, be_pid)
SAME_PLACE(cpostgres_notification, PGnotify, extra)

// Functions with structures or enumerations that CPostgres.h declares under other names.
#define RENAMED(F)                                                                                           \
    F(PQconninfoOption *, PQconninfoParse, (const char *, char **))                                          \
    F(PQconninfoOption *, PQconndefaults, (void))                                                            \
    F(void, PQconninfoFree, (PQconninfoOption *))                                                            \
    F(PGnotify *, PQnotifies, (PGconn *))                                                                    \
    F(PostgresPollingStatusType, PQconnectPoll, (PGconn *))                                                  \
    F(ConnStatusType, PQstatus, (const PGconn *))                                                            \
    F(ExecStatusType, PQresultStatus, (const PGresult *))                                                    \
    F(PGVerbosity, PQsetErrorVerbosity, (PGconn *, PGVerbosity))

#define SAME_TYPE(result, name, parameters) \
    _Static_assert(__builtin_types_compatible_p(__typeof__(&name), result(*) parameters), #name);
RENAMED(SAME_TYPE)
_Static_assert(sizeof(ConnStatusType) == sizeof(int) && sizeof(PostgresPollingStatusType) == sizeof(int), "enum");
_Static_assert(sizeof(ExecStatusType) == sizeof(int) && sizeof(PGVerbosity) == sizeof(int), "enum");

// All others have the same types in both headers.
#define IS_SAME(name) __builtin_types_compatible_p(__typeof__(&name), __typeof__(((struct cpostgres_functions *)0)->name))
#define COUNT(result, name, parameters) +1
#define COUNT_SAME(result, name, parameters) +IS_SAME(name)
_Static_assert(
    (CPOSTGRES_FUNCTIONS(COUNT_SAME)) + (RENAMED(COUNT)) == (CPOSTGRES_FUNCTIONS(COUNT)),
    "a declaration of CPostgres.h differs from that of libpq-fe.h");
