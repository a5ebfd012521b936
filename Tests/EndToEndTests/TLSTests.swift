import Foundation
import TestSupport
import Testing

/// A provider with TLS, like the paid tier: nothing is sent to a server with an invalid certificate.
@Suite(.serialized, .enabled(if: Namespaces.isPossible, "cannot create mount namespaces; run as root"))
struct TLSTests {
    private static let name = "pro.test"

    /// Runs the body with a daemon whose provider has the certificate.
    ///
    /// - Parameter body: gets the rig, the TLS server in front of the mock provider, and the entry after the first
    ///   call.
    private func expect(
        _ certificate: Certificates.Leaf, byTheDaemon body: (Rig, Program, [String: Any]) throws -> Void
    ) throws {
        let certificates = try Certificates()
        let (pem, key) = try certificates.make(certificate)
        let rig = try Rig(
            mockProvider: Rig.unlimited,
            surroundings: Surroundings(
                hosts: "127.0.0.1 \(Self.name)",
                authorities: try String(contentsOfFile: certificates.authority, encoding: .utf8)))
        let port = try #require(rig.provider.split(separator: ":").last)
        let front = try Program([Service.top + "scripts/tls-front", pem, key, String(port)])
        let listening = try front.waitForLine(containing: "listening on ").dropFirst("listening on ".count)
        try rig.daemon?.stop()
        try rig.configure([:], endpoint: "https://\(Self.name):\(listening)")
        try rig.startDaemon()
        try rig.ipctl("add", "1.1.1.1")
        try body(rig, front, try rig.entry("1.1.1.1", wait: 10))
        _ = try front.stop(with: SIGKILL)
    }

    @Test func `a certificate of a trusted authority for the host name is accepted`() throws {
        try expect(Certificates.Leaf(name: Self.name)) { rig, front, entry in
            #expect(entry["state"] as? String == "fresh", "\(entry)")
            #expect(front.lines.contains("established"))
            let calls = try rig.calls()
            #expect(calls.count == 1)
        }
    }

    @Test(arguments: [
        Certificates.Leaf(name: "another.test"), Certificates.Leaf(name: name, days: -1),
        Certificates.Leaf(name: name, isSelfSigned: true),
    ])
    func `any other certificate is rejected, and nothing is sent to the server`(leaf: Certificates.Leaf) throws {
        try expect(leaf) { rig, front, entry in
            let failure = try #require(entry["failure"] as? [String: Any], "\(entry)")
            #expect(failure["kind"] as? String == "unreachable", "\(failure)")
            let message = try #require(failure["message"] as? String)
            #expect(message.contains("the TLS connection to https://\(Self.name)"), "\(message)")
            #expect(message.contains("certificate"), "\(message)")
            #expect(!front.lines.contains("established"))
            #expect(try rig.calls().isEmpty)
        }
    }
}

/// A certificate authority of the test, and the certificates that it signs (openssl(1)).
final class Certificates {
    struct Leaf: CustomTestStringConvertible, Sendable {
        let name: String
        /// The validity in days; negative for an expired certificate.
        var days = 2
        var isSelfSigned = false

        var testDescription: String {
            isSelfSigned ? "self-signed" : days < 0 ? "expired" : "for \(name)"
        }
    }

    private let folder: TemporaryFolder
    var authority: String { folder.file("authority.pem") }

    init() throws {
        folder = try TemporaryFolder()
        try openssl(
            ["req", "-x509"] + Self.newKey + ["-keyout", "authority.key", "-out", "authority.pem"]
                + ["-subj", "/CN=Authority of a test", "-days", "2"])
    }

    /// - Returns: the paths of the certificate and its key.
    func make(_ leaf: Leaf) throws -> (certificate: String, key: String) {
        try "subjectAltName=DNS:\(leaf.name)\n".write(
            toFile: folder.file("extensions"), atomically: true, encoding: .utf8)
        try openssl(["req", "-new"] + Self.newKey + ["-keyout", "key.pem", "-out", "request", "-subj", "/CN=x"])
        let signer =
            leaf.isSelfSigned
            ? ["-signkey", "key.pem"] : ["-CA", "authority.pem", "-CAkey", "authority.key", "-CAcreateserial"]
        try openssl(
            ["x509", "-req", "-in", "request", "-extfile", "extensions", "-days", "\(leaf.days)"] + signer
                + ["-out", "certificate.pem"])
        return (folder.file("certificate.pem"), folder.file("key.pem"))
    }

    private static let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]

    private func openssl(_ arguments: [String]) throws {
        let made = try Program.run(["/usr/bin/env", "-C", folder.path, "openssl"] + arguments)
        try #require(made.status == 0, "openssl \(arguments.joined(separator: " ")): \(made.errors)")
    }
}
