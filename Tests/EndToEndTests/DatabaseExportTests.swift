import Foundation
import TestSupport
import Testing

/// `ipctl export --format mmdb`, with the files read by mmdblookup(1).
@Suite struct DatabaseExportTests {
    /// The record and the labels of one address.
    private static func rig(diskSize: String? = nil) throws -> Rig {
        let rig = try Rig(mockProvider: Rig.unlimited, diskSize: diskSize)
        try rig.ipctl("add", "1.1.1.1", "--tag", "dns", "--tag", "office")
        #expect(try rig.entry("1.1.1.1", wait: 10)["state"] as? String == "fresh")
        return rig
    }

    /// Returns a field as mmdblookup(1) prints it, with its type.
    private static func field(_ file: String, _ address: String, _ path: String...) throws -> String {
        let (_, output, errors) = try Program.run(["/usr/bin/mmdblookup", "--file", file, "--ip", address] + path)
        return (output + errors).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test func `a database has the record, the state, the tags and the scan time of each address`() throws {
        let rig = try Self.rig()
        try rig.ipctl("add", "2606:4700:4700::1111")
        let entry = try rig.entry("1.1.1.1")
        let record = try #require(entry["record"] as? [String: Any])
        let file = rig.folder + "/iprecord.mmdb"
        let exported = try rig.ipctl("export", "--format", "mmdb", "--file", file)
        #expect(exported.status == 0, "\(exported)")
        #expect(exported.output == "2 addresses written to \(file)\n")
        func text(_ name: String) throws -> String { "\"\(try #require(record[name] as? String))\" <utf8_string>" }
        #expect(try Self.field(file, "1.1.1.1", "country", "iso_code") == text("countryCode"))
        #expect(try Self.field(file, "1.1.1.1", "city", "names", "en") == text("city"))
        #expect(try Self.field(file, "1.1.1.1", "subdivisions", "0", "names", "en") == text("regionName"))
        #expect(try Self.field(file, "1.1.1.1", "location", "time_zone") == text("timezone"))
        let number = try #require(record["asn"] as? Int)
        #expect(try Self.field(file, "1.1.1.1", "autonomous_system_number") == "\(number) <uint32>")
        let latitude = String(format: "%f", try #require(record["lat"] as? Double))
        #expect(try Self.field(file, "1.1.1.1", "location", "latitude") == "\(latitude) <double>")
        let scannedAt = try #require(entry["scannedAt"] as? Int)
        #expect(try Self.field(file, "1.1.1.1", "iprecord", "scanned_at") == "\(scannedAt / 1_000) <uint64>")
        #expect(try Self.field(file, "1.1.1.1", "iprecord", "state") == "\"fresh\" <utf8_string>")
        #expect(try Self.field(file, "::ffff:1.1.1.1", "iprecord", "tags", "1") == "\"office\" <utf8_string>")
        let isProxy = try #require(record["proxy"] as? Bool)
        #expect(try Self.field(file, "1.1.1.1", "iprecord", "proxy") == "\(isProxy) <boolean>")
        #expect(try Self.field(file, "2606:4700:4700::1111", "iprecord", "state").hasSuffix(" <utf8_string>"))
        #expect(try Self.field(file, "1.1.1.2").contains("Could not find an entry for this IP address"))
    }

    @Test func `a database on standard output equals the file, except for its build time`() throws {
        let rig = try Self.rig()
        let file = rig.folder + "/piped.mmdb"
        let command = "\"$0\" --socket \"$1\" export --format mmdb > \"$2\""
        let piped = try Program.run(["/bin/sh", "-c", command, Rig.program("ipctl"), rig.socket, file])
        #expect(piped.status == 0, "\(piped)")
        let other = rig.folder + "/written.mmdb"
        #expect(try rig.ipctl("export", "--file", other).status == 0)
        func withoutBuildTime(_ path: String) throws -> Data {
            var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            // A control byte and the extended type precede the four bytes of the time.
            let name = try #require(bytes.range(of: Data("build_epoch".utf8), options: .backwards))
            bytes.removeSubrange(name.upperBound + 2..<name.upperBound + 6)
            return bytes
        }
        #expect(try withoutBuildTime(file) == withoutBuildTime(other))
        #expect(try Self.field(file, "1.1.1.1", "iprecord", "tags", "0") == "\"dns\" <utf8_string>")
    }

    @Test func `readers find whole files while the file is replaced`() throws {
        let rig = try Self.rig()
        let (file, end) = (rig.folder + "/iprecord.mmdb", rig.folder + "/end")
        try rig.ipctl("export", "--file", file)
        let reading = """
            until [ -e "$1" ]; do
                mmdblookup --file "$0" --ip 1.1.1.1 iprecord state | grep -q fresh || echo "not readable"
            done
            """
        let reader = try Program(["/bin/bash", "-c", reading, file, end])
        for round in 0..<30 {
            try rig.ipctl("add", "20.0.0.\(round)")
            #expect(try rig.ipctl("export", "--file", file).status == 0)
        }
        try Data().write(to: URL(fileURLWithPath: end))
        #expect(try reader.linesToTheEnd() == [])
        #expect(try Self.field(file, "20.0.0.29", "iprecord", "state").hasSuffix(" <utf8_string>"))
    }

    @Test(.enabled(if: Namespaces.isPossible, "cannot mount a file system; run as root"))
    func `on a full disk, the export fails and the old file stays`() throws {
        let rig = try Self.rig(diskSize: "4m")
        let file = rig.folder + "/iprecord.mmdb"
        try rig.ipctl("export", "--file", file)
        let before = try Data(contentsOf: URL(fileURLWithPath: file))
        let filled = try Program.run(["/bin/dd", "if=/dev/zero", "of=\(rig.folder)/filler", "bs=4k"])
        try #require(filled.errors.contains("No space left"), "\(filled)")
        let names = try FileManager.default.contentsOfDirectory(atPath: rig.folder).sorted()
        let failed = try rig.ipctl("export", "--file", file)
        #expect(failed.status == 70, "\(failed)")
        #expect(failed.errors == "ipctl: cannot write \(file): No space left on device\n")
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: rig.folder).sorted() == names)
    }

    @Test(.enabled(if: Namespaces.isPossible, "cannot mount a file system; run as root"))
    func `in a directory that cannot be written, the export fails and the old file stays`() throws {
        let rig = try Self.rig()
        let folder = try TemporaryFolder()
        let file = folder.file("iprecord.mmdb")
        func mount(_ options: String) throws {
            let mounted = try Program.run(["/usr/bin/mount", "-t", "tmpfs", "-o", options, "tmpfs", folder.path])
            try #require(mounted.status == 0, "\(mounted)")
        }
        try mount("size=1m")
        // An error does not matter: the test is over.
        defer { _ = try? Program.run(["/usr/bin/umount", "--lazy", folder.path]) }
        try rig.ipctl("export", "--file", file)
        let before = try Data(contentsOf: URL(fileURLWithPath: file))
        try mount("remount,ro")
        let failed = try rig.ipctl("export", "--file", file)
        #expect(failed.status == 65, "\(failed)")
        #expect(failed.errors == "ipctl: cannot write \(file): Read-only file system\n")
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
    }
}
