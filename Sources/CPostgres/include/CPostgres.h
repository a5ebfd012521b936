#ifndef CPOSTGRES_H
#define CPOSTGRES_H

// The functions of libpq that the fleet uses, loaded from libpq.so.5 at run time: a single host needs no PostgreSQL.
// The declarations are those of libpq-fe.h, version 13 or later, so that a build does not need that header either.
// scripts/postgresql-tests compares them with the header.

#include <stddef.h>

struct pg_conn;
struct pg_result;

/// A keyword and a value of a connection URL, or the default value: PQconninfoOption of libpq-fe.h.
struct cpostgres_option {
    char *keyword;
    char *envvar;
    char *compiled;
    /// NULL if the URL does not contain the keyword, or if there is no default.
    char *val;
    char *label;
    /// "*" for a password.
    char *dispchar;
    int dispsize;
};

/// A notification: PGnotify of libpq-fe.h.
struct cpostgres_notification {
    char *relname;
    int be_pid;
    char *extra;
    struct cpostgres_notification *next;
};

/// Receives notices and warnings of the server: PQnoticeReceiver of libpq-fe.h.
typedef void (*cpostgres_receiver)(void *context, const struct pg_result *result);

// Values of ConnStatusType, PostgresPollingStatusType, ExecStatusType and PGVerbosity.
#define CPOSTGRES_CONNECTION_OK 0
#define CPOSTGRES_POLLING_READING 1
#define CPOSTGRES_POLLING_WRITING 2
#define CPOSTGRES_POLLING_OK 3
#define CPOSTGRES_EMPTY_QUERY 0
#define CPOSTGRES_COMMAND_OK 1
#define CPOSTGRES_TUPLES_OK 2
#define CPOSTGRES_FATAL_ERROR 7
#define CPOSTGRES_ERRORS_VERBOSE 2

/// Each function as F(result, name, parameters): "libpq - C Library" in PostgreSQL's documentation describes them.
#define CPOSTGRES_FUNCTIONS(F) \
    F(struct cpostgres_option *, PQconninfoParse, (const char *text, char **error)) \
    F(struct cpostgres_option *, PQconndefaults, (void)) \
    F(void, PQconninfoFree, (struct cpostgres_option *options)) \
    F(void, PQfreemem, (void *memory)) \
    F(struct pg_conn *, PQconnectStartParams, \
      (const char *const *keywords, const char *const *values, int expand)) \
    F(int, PQconnectPoll, (struct pg_conn *)) \
    F(void, PQfinish, (struct pg_conn *)) \
    F(int, PQstatus, (const struct pg_conn *)) \
    F(int, PQsocket, (const struct pg_conn *)) \
    F(int, PQbackendPID, (const struct pg_conn *)) \
    F(int, PQserverVersion, (const struct pg_conn *)) \
    F(char *, PQerrorMessage, (const struct pg_conn *)) \
    F(int, PQconnectionNeedsPassword, (const struct pg_conn *)) \
    F(int, PQsetErrorVerbosity, (struct pg_conn *, int)) \
    F(cpostgres_receiver, PQsetNoticeReceiver, (struct pg_conn *, cpostgres_receiver, void *)) \
    F(int, PQsetnonblocking, (struct pg_conn *, int)) \
    F(int, PQflush, (struct pg_conn *)) \
    F(int, PQconsumeInput, (struct pg_conn *)) \
    F(int, PQisBusy, (struct pg_conn *)) \
    F(struct cpostgres_notification *, PQnotifies, (struct pg_conn *)) \
    F(int, PQsendQuery, (struct pg_conn *, const char *)) \
    F(struct pg_result *, PQgetResult, (struct pg_conn *)) \
    F(void, PQclear, (struct pg_result *)) \
    F(int, PQresultStatus, (const struct pg_result *)) \
    F(char *, PQresultErrorField, (const struct pg_result *, int)) \
    F(int, PQntuples, (const struct pg_result *)) \
    F(int, PQnfields, (const struct pg_result *)) \
    F(char *, PQfname, (const struct pg_result *, int)) \
    F(unsigned, PQftype, (const struct pg_result *, int)) \
    F(int, PQgetisnull, (const struct pg_result *, int, int)) \
    F(int, PQgetlength, (const struct pg_result *, int, int)) \
    F(char *, PQgetvalue, (const struct pg_result *, int, int))

#define CPOSTGRES_FIELD(result, name, parameters) result(*name) parameters;

/// The loaded functions. None is NULL after `cpostgres_load` has succeeded.
struct cpostgres_functions {
    CPOSTGRES_FUNCTIONS(CPOSTGRES_FIELD)
};

/// Loads the library `name` (dlopen(3)), such as libpq.so.5, and stores its functions. It stays loaded.
///
/// Returns 0, or -1 with the reason as text in `reason`, which has room for `room` bytes, at least one. Then `functions`
/// is unchanged. May be called on any thread, and again later.
int cpostgres_load(const char *name, struct cpostgres_functions *functions, char *reason, size_t room);

#endif
