import Foundation
import Testing

@testable import ipctl

@Suite struct CursorFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a cursor that was written is read`() throws {
        let cursor = CursorFile(path: folder.file("cursor"))
        #expect(try cursor.read() == nil)
        for written in [CursorFile.Cursor(seq: 0), .init(seq: 7, at: 1_800_000_000_000), .init(seq: .max, at: .max)] {
            try cursor.write(written)
            #expect(try cursor.read() == written)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["cursor"])
    }

    @Test(arguments: ["\n", "-1", "12 ", " 12", "12 x", "1 2 3", "twelve", "9223372036854775808", "\u{7F}ELF\u{2}"])
    func `what holds no number is told, with what to do`(text: String) throws {
        let path = try folder.write(text, to: "cursor")
        let complaint = #expect(throws: Complaint.self) { try CursorFile(path: path).read() }
        #expect(complaint?.status == .badData)
        #expect(complaint?.message == "\(path) holds no cursor, which is the number of an event")
        #expect(complaint?.advice == "Nothing has changed. Name a file that is not there yet, and it is made.")
        #expect(try folder.text("cursor") == text)
    }

    @Test func `an empty file is none yet, as mktemp makes it`() throws {
        #expect(try CursorFile(path: try folder.write("", to: "cursor")).read() == nil)
    }

    @Test func `what is no regular file is never replaced`() throws {
        for path in [folder.path, "/dev/null"] {
            let complaint = #expect(throws: Complaint.self) { try CursorFile(path: path).read() }
            #expect(complaint?.status == .badData)
            #expect(complaint?.message == "\(path) is no regular file, as a cursor file is")
        }
    }

    @Test func `of a link, what it leads to is replaced`() throws {
        try folder.write("", to: "cursor")
        try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: "cursor")
        try CursorFile(path: folder.file("link")).write(.init(seq: 5))
        #expect(try folder.text("cursor") == "5\n")
        #expect(try folder.names == ["cursor", "link"])
        #expect(try CursorFile(path: folder.file("link")).read() == .init(seq: 5))
    }

    @Test func `a folder that is not there is told when it is written`() throws {
        let path = folder.file("missing/cursor")
        #expect(try CursorFile(path: path).read() == nil)
        let complaint = #expect(throws: Complaint.self) { try CursorFile(path: path).write(.init(seq: 1)) }
        #expect(complaint?.status == .badData)
        #expect(complaint?.message == "cannot write \(path): No such file or directory")
    }
}
