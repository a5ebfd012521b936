import TestSupport
import Testing

/// The program that compares a provider with the model, with the mock provider in place of the real one.
@Suite(.serialized, .timeLimit(.minutes(20))) struct CheckProviderTests {
    private static func check(_ mockProvider: MockProvider, _ options: String...) throws -> PipedProgram.Ended {
        try PipedProgram.run([BuiltProgram.path("check-provider"), mockProvider.endpoint] + options)
    }

    @Test func `the mock provider does not differ from the model, and gets ten calls at most`() throws {
        let (mockProvider, secure) = (try MockProvider(), try MockProvider("--fault", "forbidden"))
        let ended = try Self.check(mockProvider, "--https-endpoint", secure.endpoint)
        #expect(ended.status == 0 && ended.errors.isEmpty, "\(ended)")
        let lines = ended.output.split(separator: "\n")
        #expect(lines.count == 10 && lines.allSatisfy { $0.hasPrefix("same ") }, "\(ended.output)")
        #expect(try mockProvider.calls().count + secure.calls().count == 10)
    }

    @Test func `without an endpoint for https, that request is skipped`() throws {
        let ended = try Self.check(try MockProvider())
        #expect(ended.status == 0)
        #expect(ended.output.contains("skipped    https: "))
    }

    @Test(arguments: [
        ("numbersAsStrings", "a record: lat is a string; expected a number"),
        ("numbersAsStrings", "a batch: [0].offset is a string; expected a number"),
        ("nullFields", "a record: country is null; expected a string"),
        ("nullFields", "a record: proxy is null; expected a Boolean"),
        ("missingElement", "a batch: the body has 3 elements; expected 4"),
        ("missingElement", "a batch: the daemon reads nothing for 8.8.8.8; expected a record"),
        ("wrongOrder", "a batch: [0].query is \"127.0.0.1\"; expected \"8.8.8.8\""),
        ("extraElement", "a batch: the body has 5 elements; expected 4"),
        ("status5xx=503", "a private address: the status is 503; expected 200"),
        ("html", "a record: Content-Type is text/html; expected application/json;charset=utf-8"),
        ("html", "a record: the body is not JSON"),
    ])
    func `a difference is reported`(fault: String, line: String) throws {
        let ended = try Self.check(try MockProvider("--fault", fault))
        #expect(ended.status == 1)
        #expect(ended.output.split(separator: "\n").contains("different  \(line)"), "\(ended.output)")
    }

    @Test func `the text of a refusal is compared`() throws {
        let head =
            "HTTP/1.1 422 Unprocessable Entity\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n"
        for (body, difference) in [
            ("too many\nqueries", "the body is \"too many queries\"; expected \"\(Self.refusal)\""),
            ("", "the body is \"\"; expected \"\(Self.refusal)\""), ("\(Self.refusal)\n", nil),
        ] as [(String, String?)] {
            let server = try CannedServer("\(head)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
            let ended = try PipedProgram.run([BuiltProgram.path("check-provider"), server.endpoint])
            let lines = ended.output.split(separator: "\n").map(String.init).filter {
                $0.hasPrefix("different  a batch of more than 100: the body ")
            }
            let expected = difference.map { ["different  a batch of more than 100: \($0)"] } ?? []
            #expect(lines == expected, "\(ended.output)")
        }
    }

    /// The text with which the model refuses a batch that is too large.
    private static let refusal = "Unprocessable Entity: at most 100 queries"

    @Test func `missing quota headers are reported`() throws {
        let ended = try Self.check(try MockProvider("--single-quota", "none"))
        #expect(ended.status == 1)
        #expect(ended.output.contains("different  a record: X-Rl is missing\n"), "\(ended.output)")
        #expect(!ended.output.contains("different  a batch: "))
    }

    @Test func `no call follows the last one that the quota allows`() throws {
        let mockProvider = try MockProvider("--single-quota", "2")
        let ended = try Self.check(mockProvider)
        #expect(ended.status == 75)
        #expect(ended.output.contains("not made   a reserved address: the quota is used up; run the check again in "))
        #expect(try mockProvider.state().offences == 0)
        #expect(try mockProvider.calls().map(\.endpoint) == ["single", "single", "batch", "batch", "batch"])
    }

    @Test func `after 429, no further call is made`() throws {
        let mockProvider = try MockProvider("--fault", "status429:1")
        let ended = try Self.check(mockProvider)
        #expect(ended.status == 75)
        #expect(try mockProvider.calls().count == 1)
    }

    @Test func `a provider that cannot be reached is reported`() throws {
        let ended = try PipedProgram.run([BuiltProgram.path("check-provider"), "http://127.0.0.1:1"])
        #expect(ended.status == 75)
        #expect(ended.output.contains("not made   a record: cannot connect to http://127.0.0.1:1: "))
    }
}
