import Files
import Glibc
import TestSupport
import Testing

@Suite struct WholeFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [0, 1, 65_536, 200_000]) func `all bytes are read`(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let path = try folder.write(bytes, to: "a")
        #expect(try WholeFile.bytes(at: path) == bytes)
        #expect(try WholeFile.bytes(at: path, maxBytes: count, pipes: .refuse) == bytes)
    }

    @Test func `a file that is too large is an error`() throws {
        let path = try folder.write("text", to: "a")
        #expect(throws: WholeFile.Unreadable.tooLarge(maxBytes: 3)) { try WholeFile.bytes(at: path, maxBytes: 3) }
        #expect(throws: WholeFile.Unreadable.tooLarge(maxBytes: 1_000)) {
            try WholeFile.bytes(at: "/dev/zero", maxBytes: 1_000)
        }
    }

    @Test func `a missing file and a directory are errors with a reason`() throws {
        let missing = try #require(throws: WholeFile.Unreadable.self) { try WholeFile.bytes(at: folder.file("a")) }
        #expect(missing == .failed(errno: ENOENT) && missing.description == "No such file or directory")
        for pipes in [WholeFile.Pipes.read, .readWithoutWaiting, .refuse] {
            #expect(throws: WholeFile.Unreadable.failed(errno: EISDIR)) {
                try WholeFile.bytes(at: folder.path, pipes: pipes)
            }
        }
    }

    @Test func `a pipe without a writer is empty, or is refused`() throws {
        try #require(mkfifo(folder.file("pipe"), 0o600) == 0)
        #expect(try WholeFile.bytes(at: folder.file("pipe"), pipes: .readWithoutWaiting) == [])
        let error = try #require(throws: WholeFile.Unreadable.self) {
            try WholeFile.bytes(at: folder.file("pipe"), pipes: .refuse)
        }
        #expect(error == .notRegular && error.description == "not a regular file")
    }
}
