import Foundation
import TestSupport
import Testing

@testable import Daemon

@Suite struct PathNamesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Returns the names on which a path in the folder depends, as paths relative to the folder.
    private func names(of path: String) throws -> [String] {
        try PathNames(of: folder.file(path)).all.map { name in
            let full = "\(name.directory)/\(name.name)"
            try #require(full.hasPrefix(folder.path + "/"), "\(full)")
            return String(full.dropFirst(folder.path.count + 1))
        }
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: folder.file(name), withDestinationPath: target)
    }

    private func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: true)
    }

    @Test func `a file depends on its name, whether it exists or not`() throws {
        #expect(try names(of: "a.mmdb") == ["a.mmdb"])
        try folder.write("", to: "a.mmdb")
        #expect(try names(of: "a.mmdb") == ["a.mmdb"])
        #expect(try names(of: ".//./a.mmdb") == ["a.mmdb"])
    }

    @Test func `a file in a missing directory depends on the directory`() throws {
        #expect(try names(of: "b/c/a.mmdb") == ["b"])
        try makeFolder("b")
        #expect(try names(of: "b/c/a.mmdb") == ["b/c"])
        try makeFolder("b/c")
        #expect(try names(of: "b/c/a.mmdb") == ["b/c/a.mmdb"])
    }

    @Test func `a symbolic link and its target are both dependencies`() throws {
        try makeFolder("v1")
        try folder.write("", to: "v1/a.mmdb")
        try link("current", to: "v1")
        #expect(try names(of: "current/a.mmdb") == ["current", "v1/a.mmdb"])
        try link("b.mmdb", to: folder.file("current/a.mmdb"))
        #expect(try names(of: "b.mmdb") == ["b.mmdb", "current", "v1/a.mmdb"])
        try link("v1/c.mmdb", to: "../missing")
        #expect(try names(of: "v1/c.mmdb") == ["v1/c.mmdb", "missing"])
    }

    @Test func `a loop of symbolic links ends`() throws {
        try link("a", to: "b")
        try link("b", to: "a")
        #expect(Set(try names(of: "a")) == ["a", "b"])
    }

    @Test func `a file instead of a directory, and a directory instead of a file, are dependencies`() throws {
        try folder.write("", to: "file")
        #expect(try names(of: "file/a.mmdb") == ["file"])
        try makeFolder("folder")
        #expect(try names(of: "folder") == ["folder"])
    }
}
