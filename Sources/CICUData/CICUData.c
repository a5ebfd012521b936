// An empty data package for ICU, the Unicode library of Foundation.
//
// GRDB imports Foundation, whose static library contains 34 MB of ICU data: the names and rules of all languages. The
// daemon does not need this data, because it formats nothing for a locale. The linker takes the data from the archive
// only if no other object defines the symbol below. If a later toolchain has another version of ICU, the symbol has
// another name, and the data is linked again.
//
// ICU itself uses such a package while it builds its data (icu4c/source/stubdata). The header contains a UDataInfo
// (unicode/udata.h). The format "ToCP" is a table of contents with pointers to the parts of the package.

#include <stdint.h>

struct header {
    uint16_t header_size;
    uint8_t magic[2];
    // UDataInfo
    uint16_t info_size;
    uint16_t reserved_word;
    uint8_t is_big_endian;
    uint8_t charset_family;
    uint8_t size_of_char;
    uint8_t reserved_byte;
    uint8_t format[4];
    uint8_t format_version[4];
    uint8_t data_version[4];
    uint8_t padding[8];
    // The table of contents.
    uint32_t count;
    uint32_t reserved;
    uint64_t names_and_parts[2];
};

_Alignas(16) const struct header icudt76_dat = {
    .header_size = 32,
    .magic = {0xDA, 0x27},
    .info_size = 20,
    .is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
    .charset_family = 0, // ASCII
    .size_of_char = 2,
    .format = {'T', 'o', 'C', 'P'},
    .format_version = {1, 0, 0, 0},
};
