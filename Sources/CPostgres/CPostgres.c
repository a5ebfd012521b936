#include "CPostgres.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

struct symbol {
    const char *name;
    size_t offset;
};

#define SYMBOL(result, name, parameters) {#name, offsetof(struct cpostgres_functions, name)},

static const struct symbol symbols[] = {CPOSTGRES_FUNCTIONS(SYMBOL)};

// POSIX allows the conversion that dlsym(3) needs. All pointers to functions have the same size there.
_Static_assert(sizeof(void *) == sizeof(void (*)(void)), "pointers to functions have the size of those to objects");

static int fail(char *reason, size_t room) {
    const char *text = dlerror();
    snprintf(reason, room, "%s", text ? text : "unknown error");
    return -1;
}

int cpostgres_load(const char *name, struct cpostgres_functions *functions, char *reason, size_t room) {
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) return fail(reason, room);
    struct cpostgres_functions found;
    for (size_t place = 0; place < sizeof symbols / sizeof *symbols; place++) {
        void *function = dlsym(library, symbols[place].name);
        if (!function) {
            fail(reason, room);
            dlclose(library);
            return -1;
        }
        memcpy((char *)&found + symbols[place].offset, &function, sizeof function);
    }
    *functions = found;
    return 0;
}
