import Foundation
import Systemd
import Testing

/// The journal's catalogue, compared with the alerts that the daemon logs.
@Suite struct CatalogueTests {
    /// One message of a catalogue: its id, its header fields by name, and its text.
    private struct Message {
        var id: String
        var head: [String: String]
        var text: String
    }

    private static let path = #filePath.replacing(
        "Tests/SystemdTests/CatalogueTests.swift", with: "systemd/iprecord.catalog")

    /// Parses the format of systemd's catalogues: "-- ID", header fields, an empty line, and the text.
    private static func messages() throws -> [Message] {
        let whole = "\n" + (try String(contentsOfFile: path, encoding: .utf8))
        return whole.components(separatedBy: "\n-- ").dropFirst().map { part in
            let halves = part.split(separator: "\n\n", maxSplits: 1)
            let lines = halves[0].split(separator: "\n")
            let head = lines.dropFirst().map { $0.split(separator: ": ", maxSplits: 1).map(String.init) }
            return Message(
                id: String(lines[0]), head: Dictionary(head.map { ($0[0], $0[1]) }) { $0 + " " + $1 },
                text: String(halves.dropFirst().first ?? ""))
        }
    }

    @Test func `the catalogue has exactly one message for each message id`() throws {
        #expect(try Self.messages().map(\.id).sorted() == MessageID.allCases.map(\.text).sorted())
    }

    @Test func `each message has a subject, a reference to a manual page, and lines that fit a terminal`() throws {
        for message in try Self.messages() {
            #expect(message.head["Subject"]?.isEmpty == false)
            #expect(message.head["Defined-By"] == "iprecordd")
            #expect(message.head["Documentation"]?.contains("man:ipctl(1)") == true)
            #expect(message.text.count > 40)
            for line in message.text.split(separator: "\n") { #expect(line.count <= 82, "\(line)") }
        }
    }

    @Test func `only the subject of an alert about an address contains the address field`() throws {
        let messages = Dictionary(uniqueKeysWithValues: try Self.messages().map { ($0.id, $0) })
        for id in MessageID.allCases {
            let isAboutAddress = [.failed, .recovered, .changed].contains(id)
            #expect(messages[id.text]?.head["Subject"]?.contains("@IPRECORD_ADDRESS@") == isAboutAddress, "\(id)")
        }
    }
}
