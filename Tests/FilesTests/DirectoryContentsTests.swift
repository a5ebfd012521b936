import Glibc
import TestSupport
import Testing

@testable import Files

@Suite struct DirectoryContentsTests {
    @Test(arguments: ["a", "records.db.2026-11-28.backup", ""])
    func `a name is read no further than its end`(name: String) throws {
        // Accessible memory ends with the name.
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let memory = try #require(
            mmap(nil, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
        defer { munmap(memory, 2 * page) }
        try #require(mprotect(memory + page, page, PROT_NONE) == 0)
        let bytes = Array(name.utf8) + [0]
        let offset = try #require(MemoryLayout<dirent>.offset(of: \.d_name))
        // readdir(3) aligns entries to eight bytes.
        let start = memory + (page - (offset + bytes.count)) / 8 * 8
        let end = UnsafeMutableRawBufferPointer(start: start + offset, count: bytes.count)
        end.copyBytes(from: bytes)
        #expect(DirectoryContents.name(of: start.assumingMemoryBound(to: dirent.self)) == name)
    }

    @Test func `all names are read, and a missing directory is an error`() throws {
        let folder = try TemporaryFolder()
        for name in ["a", "b c", "ü"] { try folder.write("", to: name) }
        #expect(try DirectoryContents.names(in: folder.file(".")).sorted() == [".", "..", "a", "b c", "ü"])
        #expect(throws: DirectoryContents.Unreadable(errno: ENOENT)) {
            try DirectoryContents.names(in: folder.file("missing"))
        }
    }
}
