import RecordKeeping
import Testing
import Varlink

@testable import Control

/// Checks that `ShowScanner` and the decoder of all requests agree.
@Suite struct ShowScannerTests {
    /// Returns the request that the scanner reads after another call; nil if it leaves the call to the decoder.
    private static func scanned(_ message: String, maximum: Int = 3) throws -> Request.Body? {
        var scanner = ShowScanner()
        func read(_ message: String) -> Bool {
            Array(message.utf8).withUnsafeBufferPointer { scanner.read($0, maximum: maximum) }
        }
        let other = #"{"method":"io.iprecord.Control.Show","parameters":{"addresses":["9.9.9.9"],"wait":9}}"#
        try #require(read(other))
        return read(message) ? scanner.request : nil
    }

    private static func whole(_ message: String) throws -> Request.Body {
        var server = ServerConversation(limitBytes: 10_000)
        server.receive(Array(message.utf8) + [0])
        return try Request.Body(try #require(try server.next()))
    }

    @Test(arguments: [
        #"{"method":"io.iprecord.Control.Show","parameters":{"addresses":["1.1.1.1"]}}"#,
        #"{"method":"io.iprecord.Control.Show","parameters":{"addresses":["1.1.1.1","255.0.0.1","1.1.1.1"],"wait":0}}"#,
        #"{"method":"io.iprecord.Control.Show","parameters":{"wait":9223372036854775807,"addresses":["1.1.1.1"]}}"#,
        #" { "parameters" : { "wait" : 5000 , "addresses" : [ "10.0.0.1" ] },"method" : "io.iprecord.Control.Show" } "#,
    ])
    func `calls are read as by the general decoder`(message: String) throws {
        #expect(try Self.scanned(message) == Self.whole(message))
    }

    @Test(arguments: [
        "", "{}", #"{"method":"io.iprecord.Control.Show"}"#,
        #"{"method":"io.iprecord.Control.Show","parameters":{}}"#,
        #"{"method":"io.iprecord.Control.Show","parameters":{"addresses":[]}}"#,
        #"{"method":"io.iprecord.Control.Show","parameters":{"addresses":["1.1.1.1",]}}"#,
        #"{"method":"io.iprecord.Control.Show","parameters":{"addresses":["1.1.1.01"]}}"#,
        #"{"method":"io.iprecord.Control.Show","parameters":{"addresses":["::1"]}}"#,
        #"{"method":"io.iprecord.Control.Show","parameters":{"addresses":["1.1.1.1"],"wait":-1}}"#,
        #"{"method":"io.iprecord.Control.Show","parameters":{"addresses":["1.1.1.1"],"wait":null}}"#,
        #"{"method":"io.iprecord.Control.Show","parameters":{"addresses":["1.1.1.1"],"addresses":["1.1.1.2"]}}"#,
        #"{"method":"io.iprecord.Control.Show","parameters":{"addresses":["1.1.1.1"],"else":0}}"#,
        #"{"method":"io.iprecord.Control.Show","parameters":{"addresses":["1.1.1.1"]},"more":true}"#,
        #"{"method":"io.iprecord.Control.Show","parameters":{"addresses":["1.1.1.1"]},"oneway":true}"#,
        #"{"method":"io.iprecord.Control.Show","parameters":{"addresses":["1.1.1.1"]},"upgrade":true}"#,
        #"{"method":"io.iprecord.Control.Show","parameters":{"addresses":["1.1.1.1"]}} x"#,
        #"{"method":"io.iprecord.Control.Remove","parameters":{"addresses":["1.1.1.1"]}}"#,
        #"{"method":"io.iprecord.Control.Show","parameters":{"addresses":["1.1.1.1","1.1.1.1","1.1.1.1","1.1.1.1"]}}"#,
    ])
    func `all other calls are left to the general decoder`(message: String) throws {
        #expect(try Self.scanned(message) == nil)
    }
}
