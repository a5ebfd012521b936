/* lookup DATABASE - looks up each address from standard input with libmaxminddb. Prints for each a line with the number
 * of bits that led to the answer, and the value in the form that Tests/MMDB/model.py describes, or "-". */
#include <inttypes.h>
#include <maxminddb.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char *what, int status) {
    printf("%s: %s\n", what, MMDB_strerror(status));
    exit(1);
}

/* Prints a value, and returns the list after it. */
static MMDB_entry_data_list_s *print(MMDB_entry_data_list_s *list) {
    const MMDB_entry_data_s *data = &list->entry_data;
    uint32_t size = data->data_size;
    uint64_t bits;
    list = list->next;
    switch (data->type) {
    case MMDB_DATA_TYPE_MAP:
    case MMDB_DATA_TYPE_ARRAY: {
        int is_map = data->type == MMDB_DATA_TYPE_MAP;
        putchar(is_map ? '{' : '[');
        for (uint32_t index = 0; index < size; index++) {
            if (index > 0) putchar(',');
            if (is_map) {
                list = print(list);
                putchar('=');
            }
            list = print(list);
        }
        putchar(is_map ? '}' : ']');
        break;
    }
    case MMDB_DATA_TYPE_UTF8_STRING:
        putchar('s');
        for (uint32_t index = 0; index < size; index++) printf("%02x", (unsigned char)data->utf8_string[index]);
        break;
    case MMDB_DATA_TYPE_DOUBLE:
        memcpy(&bits, &data->double_value, sizeof bits);
        printf("d%" PRIx64, bits);
        break;
    case MMDB_DATA_TYPE_BOOLEAN: putchar(data->boolean ? 't' : 'f'); break;
    case MMDB_DATA_TYPE_UINT16: printf("h%" PRIu16, data->uint16); break;
    case MMDB_DATA_TYPE_UINT32: printf("i%" PRIu32, data->uint32); break;
    case MMDB_DATA_TYPE_UINT64: printf("l%" PRIu64, data->uint64); break;
    default: printf("type %" PRIu32, data->type);
    }
    return list;
}

int main(int count, char **arguments) {
    MMDB_s database;
    char address[64];
    int status = count == 2 ? MMDB_open(arguments[1], MMDB_MODE_MMAP, &database) : MMDB_FILE_OPEN_ERROR;
    if (status != MMDB_SUCCESS) fail("open", status);
    while (fgets(address, sizeof address, stdin)) {
        int resolved;
        address[strcspn(address, "\n")] = 0;
        MMDB_lookup_result_s result = MMDB_lookup_string(&database, address, &resolved, &status);
        if (resolved != 0 || status != MMDB_SUCCESS) fail(address, status);
        printf("%" PRIu16 " ", result.netmask);
        if (result.found_entry) {
            MMDB_entry_data_list_s *list = NULL;
            status = MMDB_get_entry_data_list(&result.entry, &list);
            if (status != MMDB_SUCCESS) fail(address, status);
            print(list);
            MMDB_free_entry_data_list(list);
        } else {
            putchar('-');
        }
        putchar('\n');
    }
    MMDB_close(&database);
    return 0;
}
