import Foundation
import Testing

@testable import ipctl

@Suite struct CursorFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a cursor that was written is read`() throws {
        let cursor = CursorFile(path: folder.file("cursor"))
        #expect(try cursor.read() == nil)
        try cursor.write(0)
        #expect(try cursor.read() == 0)
        try cursor.write(.max)
        #expect(try cursor.read() == .max)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["cursor"])
    }

    @Test(arguments: ["", "\n", "-1", "12 ", "twelve", "9223372036854775808"])
    func `what holds no number is told, with what to do`(text: String) throws {
        let path = try folder.write(text, to: "cursor")
        let complaint = #expect(throws: Complaint.self) { try CursorFile(path: path).read() }
        #expect(complaint?.status == .badData)
        #expect(complaint?.message == "\(path) holds no cursor")
        #expect(complaint?.advice.contains("Remove the file") == true)
    }

    @Test func `a folder that is not there is told when it is written`() throws {
        let path = folder.file("missing/cursor")
        #expect(try CursorFile(path: path).read() == nil)
        let complaint = #expect(throws: Complaint.self) { try CursorFile(path: path).write(1) }
        #expect(complaint?.status == .badData)
        #expect(complaint?.message == "cannot write \(path): No such file or directory")
    }
}
