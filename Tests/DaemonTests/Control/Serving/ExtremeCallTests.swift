import ExtremeJSON
import Foundation
import RecordKeeping
import Testing

@testable import Daemon

/// Calls with every JSON type and the extreme values of each in every member, through the socket, the decoder, the
/// keeper and the store.
@Suite struct ExtremeCallTests {
    /// Sends calls one after the other, on the same connection as long as it is open.
    private static func send(_ calls: some Sequence<(text: String, description: String)>, to service: Service) throws {
        var client = try service.connect()
        try client.send(CallText.add("10.0.0.1"))
        _ = try client.message()
        for call in calls {
            // NUL ends a message, and cannot be part of one.
            guard !call.text.utf8.contains(0) else { continue }
            if try !isAnswered(call, by: client) { client = try service.connect() }
        }
        try expectAlive(service)
    }

    private static func isAnswered(_ call: (text: String, description: String), by client: UnixClient) throws -> Bool {
        try client.send(call.text, CallText.info)
        while let message = try client.message() {
            #expect(throws: Never.self, "\(call.description)") {
                try JSONSerialization.jsonObject(with: Data(message.utf8))
            }
            if message.contains(#""product":"iprecordd""#) { return true }
        }
        return false
    }

    private static func expectAlive(_ service: Service) throws {
        let client = try service.connect()
        try client.send(CallText.status)
        #expect(try client.message()?.contains(#""version":"test""#) == true)
    }

    @Test(arguments: CallSamples.all) func `a call with any value in any member is answered or refused`(call: String)
        async throws
    {
        try await Service.run { service in
            let variants = try JSONNode(call).variants()
            try Self.send(variants.lazy.map { (text: $0.text, description: $0.description) }, to: service)
        }
    }

    @Test func `the daemon keeps running after a Monitor call with any value in any member`() async throws {
        try await Service.run { service in
            for variant in try JSONNode(CallSamples.monitor).variants() {
                let listener = try service.connect()
                try listener.send(variant.text)
                listener.close()
                try service.waitForSockets(1)
            }
            try Self.expectAlive(service)
        }
    }

    @Test(arguments: [Int64.min, .min + 1, -1, 1 << 53, .max - 1, .max])
    func `a number at the limit of its range is used as it is, or refused`(number: Int64) async throws {
        try await Service.run { service in
            let client = try service.connect()
            func reply(_ method: String, _ parameters: String, more: Bool = false) throws -> String? {
                let call = #"{"method":"io.iprecord.Control.\#(method)","parameters":{\#(parameters)},"more":\#(more)}"#
                try client.send(call)
                return try client.message()
            }
            try client.send(CallText.add("10.0.0.1"))
            _ = try client.message()
            let isPositive = number > 0
            let wait = try reply("Show", #""addresses":["10.0.0.1"],"wait":\#(number)"#)
            #expect(wait?.contains(isPositive ? #""state":"empty""# : #""parameter":"wait""#) == true)
            let limit = try reply("List", #""limit":\#(number)"#)
            #expect(limit?.contains(isPositive ? "TooMany" : #""parameter":"limit""#) == true)
            let since = try reply("List", #""changedSince":\#(number)"#)
            #expect(since?.contains(#""total":0"#) == true)
            let history = try reply("History", #""address":"10.0.0.1","before":\#(number)"#)
            #expect(history == #"{"parameters":{"changes":[]}}"#)
            #expect(try reply("Outages", #""before":\#(number)"#) == #"{"parameters":{"outages":[]}}"#)
            let cursor = try reply("List", #""after":"listed/10.0.0.0/\#(number)","tag":"none""#)
            #expect(cursor?.contains(isPositive ? #""total":\#(number)"# : "InvalidCursor") == true)
            #expect(try reply("Monitor", #""after":\#(number)"#, more: true)?.contains("InvalidCursor") == true)
        }
    }

    @Test func `a number out of range beside a deeply nested value is refused`() async throws {
        try await Service.run { service in
            for levels in [100, 400, 505, 600] {
                let nested = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
                let objects = String(repeating: #"{"a":"#, count: levels) + "1" + String(repeating: "}", count: levels)
                let wide = nested.replacing("[]", with: "[" + String(repeating: "1,", count: 1_200) + "1]")
                for value in [nested, objects, wide] {
                    let call =
                        #"{"method":"io.iprecord.Control.List","parameters":{"changedSince":1e30,"after":\#(value)}}"#
                    try Self.send([(text: call, description: "\(levels) levels")], to: service)
                }
            }
        }
    }

    @Test(arguments: 0..<4) func `calls with several extreme values are answered or refused`(seed: Int) async throws {
        var random = Random(seed: UInt64(seed))
        let samples = try CallSamples.all.map { try JSONNode($0) }
        let calls = (0..<400).map { number in
            var mutator = DocumentMutator(choices: (0..<40).map { _ in UInt8.random(in: 0...255, using: &random) })
            let text = mutator.document(like: samples[number % samples.count]).text
            return (text: text, description: text)
        }
        try await Service.run { try Self.send(calls, to: $0) }
    }
}
