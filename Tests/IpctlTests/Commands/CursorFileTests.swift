import Foundation
import TestSupport
import Testing

@testable import ipctl

@Suite struct CursorFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a written cursor is read back`() throws {
        let cursor = CursorFile(path: folder.file("cursor"))
        #expect(try cursor.read() == nil)
        for written in [CursorFile.Cursor(seq: 0), .init(seq: 7, at: 1_800_000_000_000), .init(seq: .max, at: .max)] {
            try cursor.write(written)
            #expect(try cursor.read() == written)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["cursor"])
    }

    @Test(arguments: ["\n", "-1", "12 ", " 12", "12 x", "1 2 3", "twelve", "9223372036854775808", "\u{7F}ELF\u{2}"])
    func `a file without a number is reported with advice`(text: String) throws {
        let path = try folder.write(text, to: "cursor")
        let commandError = #expect(throws: CommandError.self) { try CursorFile(path: path).read() }
        #expect(commandError?.status == .badData)
        #expect(commandError?.message == "\(path) is not a cursor file: expected the number of an event")
        #expect(
            commandError?.advice == "Nothing was changed. Name a file that does not exist yet, and ipctl creates it.")
        #expect(try folder.text("cursor") == text)
    }

    @Test func `an empty file is rejected, because events may be missing`() throws {
        let path = try folder.write("", to: "cursor")
        let commandError = #expect(throws: CommandError.self) { try CursorFile(path: path).read() }
        #expect(commandError?.status == .badData)
        #expect(commandError?.message == "\(path) is empty: expected the number of an event")
        let advice =
            "Remove it to start with the next event, or run once with --after 0 to print all kept events."
        #expect(commandError?.advice == advice)
        #expect(try folder.text("cursor") == "")
    }

    @Test func `a file beside it is neither removed nor replaced`() throws {
        try folder.write("mine", to: "cursor.new")
        let cursor = CursorFile(path: folder.file("cursor"))
        try cursor.checkWritable()
        #expect(try folder.names == ["cursor.new"])
        try cursor.write(.init(seq: 1))
        try cursor.write(.init(seq: 2))
        #expect(try folder.names == ["cursor", "cursor.new"])
        #expect(try folder.text("cursor.new") == "mine")
        #expect(try folder.text("cursor") == "2\n")
    }

    @Test func `a link beside it is not followed`() throws {
        try folder.write("mine", to: "target")
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("cursor.new"), withDestinationPath: folder.file("target"))
        let cursor = CursorFile(path: folder.file("cursor"))
        try cursor.checkWritable()
        try cursor.write(.init(seq: 1))
        #expect(try folder.text("target") == "mine")
        let kind = try FileManager.default.attributesOfItem(atPath: folder.file("cursor"))[.type] as? FileAttributeType
        #expect(kind == .typeRegular)
        #expect(try folder.names == ["cursor", "cursor.new", "target"])
    }

    @Test func `files left by a killed process do not block a new one`() throws {
        let cursor = CursorFile(path: folder.file("cursor"))
        try folder.write("left", to: "cursor.\(getpid()).new")
        try cursor.write(.init(seq: 1))
        #expect(try folder.text("cursor") == "1\n")
        #expect(try folder.text("cursor.\(getpid()).new") == "left")
    }

    @Test func `a link to a missing file is rejected`() throws {
        let target = folder.file("elsewhere")
        try FileManager.default.createSymbolicLink(atPath: folder.file("cursor"), withDestinationPath: target)
        let commandError = #expect(throws: CommandError.self) {
            try CursorFile(path: folder.file("cursor")).write(.init(seq: 1))
        }
        #expect(commandError?.status == .badData)
        #expect(commandError?.message == "\(folder.file("cursor")) is a symbolic link to a file that does not exist")
        #expect(try folder.names == ["cursor"])
    }

    @Test func `only a regular file is replaced`() throws {
        for path in [folder.path, "/dev/null"] {
            let commandError = #expect(throws: CommandError.self) { try CursorFile(path: path).read() }
            #expect(commandError?.status == .badData)
            #expect(commandError?.message == "\(path) is not a regular file")
        }
    }

    @Test func `the target of a link is replaced`() throws {
        try folder.write("4\n", to: "cursor")
        try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: "cursor")
        try CursorFile(path: folder.file("link")).write(.init(seq: 5))
        #expect(try folder.text("cursor") == "5\n")
        #expect(try folder.names == ["cursor", "link"])
        #expect(try CursorFile(path: folder.file("link")).read() == .init(seq: 5))
    }

    @Test func `a missing directory is reported when the file is written`() throws {
        let path = folder.file("missing/cursor")
        #expect(try CursorFile(path: path).read() == nil)
        let commandError = #expect(throws: CommandError.self) { try CursorFile(path: path).write(.init(seq: 1)) }
        #expect(commandError?.status == .badData)
        #expect(commandError?.message == "cannot write \(path): No such file or directory")
    }
}
