import Foundation
import Systemd
import TestSupport
import Testing

@Suite struct CredentialsTests {
    private let folder: TemporaryFolder
    private var credentials: Credentials { Credentials(directory: folder.path) }
    private var path: String { folder.file("ip-api-key") }

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: ["secret", "secret\n", " \t secret \r\n\n"])
    func `white space around a credential is removed`(text: String) throws {
        try folder.write(Array(text.utf8), to: "ip-api-key")
        #expect(try credentials.text(named: "ip-api-key") == "secret")
    }

    @Test func `without a directory or a file there is no credential`() throws {
        #expect(try Credentials(directory: nil).text(named: "ip-api-key") == nil)
        #expect(try credentials.text(named: "ip-api-key") == nil)
    }

    @Test func `a comment, as in the unit's fallback, is not a credential`() throws {
        try folder.write(Array("# no key".utf8), to: "ip-api-key")
        #expect(try credentials.text(named: "ip-api-key") == nil)
        #expect(try Credentials.text(atPath: path) == "# no key")
    }

    @Test func `the unit has a fallback without a key for each credential, so that systemd logs no warning`() throws {
        let top = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let unit = try String(contentsOf: top.appending(path: "systemd/iprecordd.service"), encoding: .utf8)
        let lines = unit.split(separator: "\n").map { String($0) }
        func values(_ setting: String) -> [String] {
            lines.filter { $0.hasPrefix(setting + "=") }.map { String($0.dropFirst(setting.count + 1)) }
        }
        let names = values("LoadCredential").map { String($0.prefix { $0 != ":" }) }
        #expect(names == ["ip-api-key", "iprecord-proxy"])
        for name in names {
            let fallbacks = values("SetCredential").filter { $0.hasPrefix(name + ":") }
            let fallback = try #require(fallbacks.first)
            try folder.write(Array(fallback.dropFirst(name.count + 1).utf8), to: name)
            #expect(try credentials.text(named: name) == nil)
        }
    }

    @Test(arguments: ["", ".", "..", "../shadow", "a/b", "a\u{0}"])
    func `a name that is not a file name is an error`(name: String) {
        #expect(throws: SystemdError.badCredentialName(name)) { try credentials.text(named: name) }
    }

    @Test func `an empty file is an error that includes the path`() throws {
        try folder.write(Array(" \n".utf8), to: "ip-api-key")
        #expect(throws: SystemdError.emptyCredential(path: path)) { try credentials.text(named: "ip-api-key") }
    }

    @Test(arguments: [Array("two\nlines".utf8), [0x61, 0x00, 0x62], [0x61, 0xFF, 0x62]])
    func `a file that is not a single line of UTF-8 text is an error`(bytes: [UInt8]) throws {
        try folder.write(bytes, to: "ip-api-key")
        #expect(throws: SystemdError.malformedCredential(path: path)) { try credentials.text(named: "ip-api-key") }
    }

    @Test func `a file that is too large is an error, and is not read to its end`() throws {
        try folder.write(Array(repeating: 0x61, count: 20_000), to: "ip-api-key")
        #expect(throws: SystemdError.oversizedCredential(path: path, limitBytes: 16_384)) {
            try credentials.text(named: "ip-api-key")
        }
        #expect(throws: SystemdError.oversizedCredential(path: "/dev/zero", limitBytes: 16_384)) {
            try Credentials.text(atPath: "/dev/zero")
        }
    }

    @Test func `an unreadable file is an error that includes the path and the reason`() throws {
        let error = #expect(throws: SystemdError.self) { try Credentials.text(atPath: folder.path) }
        #expect(error?.description == "cannot read the credential \(folder.path): Is a directory")
    }
}
