import Confinement
import Dispatch
import Foundation
import TestSupport
import Testing

@testable import Daemon

/// Files in a directory whose names the daemon may use, but not list, such as one of mode 0711.
@Suite final class FileWatcherTests {
    private let folder: TemporaryFolder
    private let queue = DispatchQueue(label: "iprecord.file-watcher-tests")
    private let watcher: QueueConfined<FileWatcher>
    private let changes = Tally()

    init() throws {
        folder = try TemporaryFolder()
        watcher = QueueConfined(FileWatcher(queue: queue), givenTo: queue)
        try setMode(0o755, of: "")
        try FileManager.default.createDirectory(atPath: folder.file("closed"), withIntermediateDirectories: false)
        // The owner may not list it either, for tests that do not run as root.
        try setMode(0o311, of: "closed")
    }

    deinit {
        queue.sync { watcher.value.end() }
        // The folder removes itself, which needs permission to list this directory.
        chmod(folder.file("closed"), 0o700)
    }

    private func setMode(_ mode: mode_t, of name: String) throws {
        try #require(chmod(folder.file(name), mode) == 0)
    }

    /// Replaces a file in the closed directory by rename.
    private func put(_ text: String, _ name: String = "a.mmdb") throws {
        try folder.write(text, to: "new")
        try setMode(0o644, of: "new")
        try #require(rename(folder.file("new"), folder.file("closed/\(name)")) == 0)
    }

    /// Watches files in the closed directory, and returns the failures that are reported.
    private func watch(_ names: String...) -> [SystemError] {
        let paths = names.map { folder.file("closed/\($0)") }
        return queue.sync {
            UnprivilegedFileAccess.run {
                var failures: [SystemError] = []
                watcher.value.watch(paths) { [changes] in
                    changes.note()
                } onFailure: {
                    failures.append($0)
                }
                return failures
            }
        }
    }

    private var closed: SystemError { SystemError("watch \(folder.file("closed")) (inotify_add_watch)", errno: EACCES) }

    @Test func `a file in a closed directory is watched, and its replacement is reported`() throws {
        try put("first")
        #expect(watch("a.mmdb") == [])
        try put("second")
        #expect(changes.wait(for: 1))
        #expect(watch("a.mmdb") == [], "the new file is watched")
        let count = changes.count
        let file = try #require(FileHandle(forWritingAtPath: folder.file("closed/a.mmdb")))
        try file.write(contentsOf: Data("third".utf8))
        try file.close()
        #expect(changes.wait(for: count + 1))
    }

    @Test func `a file with another name is still reported when it is replaced`() throws {
        try put("first")
        try #require(link(folder.file("closed/a.mmdb"), folder.file("kept")) == 0)
        #expect(watch("a.mmdb") == [])
        try put("second")
        #expect(changes.wait(for: 1))
    }

    @Test func `a symbolic link in a closed directory is watched itself`() throws {
        try put("first", "v1.mmdb")
        try put("second", "v2.mmdb")
        try #require(symlink("v1.mmdb", folder.file("closed/a.mmdb")) == 0)
        #expect(watch("a.mmdb") == [])
        try #require(symlink("v2.mmdb", folder.file("next")) == 0)
        try #require(rename(folder.file("next"), folder.file("closed/a.mmdb")) == 0)
        #expect(changes.wait(for: 1))
    }

    @Test func `missing files in a closed directory are reported once, until the directory can be watched`() throws {
        #expect(watch("a.mmdb", "b.mmdb") == [closed])
        #expect(watch("a.mmdb", "b.mmdb") == [])
        try put("first")
        #expect(watch("a.mmdb") == [], "the file is watched")
        try #require(unlink(folder.file("closed/a.mmdb")) == 0)
        #expect(watch("a.mmdb") == [], "the directory is closed as before")
        try setMode(0o755, of: "closed")
        #expect(watch("a.mmdb") == [], "the directory is watched")
        try put("second")
        #expect(changes.wait(for: 1))
        try setMode(0o311, of: "closed")
        try #require(unlink(folder.file("closed/a.mmdb")) == 0)
        #expect(watch("a.mmdb") == [closed])
    }

    @Test func `a file that cannot be read in a closed directory is reported`() throws {
        try put("first")
        try setMode(0o000, of: "closed/a.mmdb")
        #expect(watch("a.mmdb") == [closed])
    }
}
