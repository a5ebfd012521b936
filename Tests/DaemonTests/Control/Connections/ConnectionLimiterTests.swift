import Control
import Foundation
import Glibc
import RecordKeeping
import Testing

@testable import Daemon

/// Limits on what one client may cost the others.
@Suite struct ConnectionLimiterTests {
    @Test func `a client that does not read gets further replies only after it reads`() async throws {
        try await Service.run { service in
            let (late, client) = (try service.connect(), try service.connect())
            // Fifteen long replies for each change; together they are many times the limit of unread bytes.
            let (changes, answersBetween) = (100, 15)
            let question = CallText.description(of: Interface.name)
            let calls = (0..<changes).flatMap { number in
                Array(repeating: question, count: answersBetween) + [CallText.add("10.1.0.\(number)")]
            }
            let bytes = CallText.bytes(calls)
            Thread.detachNewThread {
                // Calls that are not sent are missing from the count below.
                try? late.send(bytes: bytes)
            }
            // The client's changes alternate with those of the late client, as long as the latter are handled.
            for number in 0..<2 * changes {
                try client.send(CallText.add("10.2.0.\(number)"))
                #expect(try client.message() == #"{"parameters":{"added":1,"already":0}}"#)
            }
            try client.send(CallText.status)
            let watched = try client.message()?.firstMatch(of: /"watched":(\d+)/)?.1
            let done = (watched.flatMap { Int($0) } ?? 0) - 2 * changes
            let answerBytes = answersBetween * Interface.text.utf8.count
            #expect(done <= ControlLimits.unreadBytes / answerBytes + 1)
            var answers = 0
            while answers < calls.count, try late.message() != nil { answers += 1 }
            #expect(answers == calls.count)
        }
    }

    @Test func `a list is built page by page as it is read, and other clients are served meanwhile`() async throws {
        try await Service.run { service in
            let (late, client) = (try service.connect(), try service.connect())
            let count = 60_000
            let addresses = (0..<count).map { "\"\(IPAddress(v4: 0x0A00_0000 + UInt32($0)))\"" }
            func change(_ method: String, _ list: ArraySlice<String>) throws -> String? {
                let list = list.joined(separator: ",")
                try client.send(#"{"method":"io.iprecord.Control.\#(method)","parameters":{"addresses":[\#(list)]}}"#)
                return try client.message()
            }
            #expect(try change("Add", addresses[...]) == #"{"parameters":{"added":60000,"already":0}}"#)
            try late.send(#"{"method":"io.iprecord.Control.List","parameters":{"limit":500},"more":true}"#)
            let first = try #require(try late.message())
            #expect(first.contains(#""total":60000"#) && first.contains(#""continues":true"#))
            // An entry that is removed before its page is built is on no page.
            #expect(try change("Remove", addresses[(count / 2)...]) == #"{"parameters":{"removed":30000}}"#)
            var listed = first.components(separatedBy: "\"address\"").count - 1
            while let page = try late.message() {
                listed += page.components(separatedBy: "\"address\"").count - 1
                if !page.contains(#""continues":true"#) { break }
            }
            #expect((count / 2..<count).contains(listed), "\(listed)")
        }
    }

    @Test func `the client that holds the most is dropped if all clients hold too much`() async throws {
        try await Service.run { service in
            // Each client sends a message just below the size limit, and does not end it.
            let part = [UInt8](repeating: UInt8(ascii: " "), count: ControlLimits.messageBytes - 1_024)
            let count = ControlLimits.heldBytes / part.count + 2
            let hogs = try (0..<count).map { _ in try service.connect() }
            let client = try service.connect()
            for (number, hog) in hogs.enumerated() {
                // The first client holds the most.
                do {
                    try hog.send(bytes: number == 0 ? part + part.prefix(512) : part)
                } catch {
                    // The client was dropped while it was sending.
                    continue
                }
            }
            try client.send(CallText.status)
            #expect(try client.message()?.contains("\"watched\"") == true)
            #expect(try hogs[0].messagesToTheEnd().isEmpty, "the client was disconnected")
        }
    }

    @Test(.timeLimit(.minutes(20)))
    func `many clients that do not read hold little more than the limit for all clients`() async throws {
        let maximum = 4 * 1_024 * 1_024
        try await Service.run(limiter: ConnectionLimiter(maxHeldBytes: maximum)) { service in
            let count = 60
            let clients = try (0..<count).map { _ in try service.connect() }
            try service.waitForSockets(count + 1)
            // Sixteen replies of some hundred kilobytes each.
            let calls = CallText.bytes(Array(repeating: CallText.show(many: ControlLimits.addressesPerTurn), count: 16))
            try service.onQueue { _ in
                // All clients are ready when the queue is free again.
                for client in clients { try client.send(bytes: calls) }
            }
            var held = 0
            var left = count
            while left > count / 2 {
                let all = service.onQueue { _ in service.server?.peers.values.map(\.heldBytes) ?? [] }
                held = max(held, all.reduce(0, +))
                left = all.count
            }
            #expect(held < 2 * maximum)
        }
    }

    @Test func `a request counts as held until it is answered`() async throws {
        try await Service.run(limiter: ConnectionLimiter(maxHeldBytes: 3_500 * ControlLimits.bytesPerAddress)) {
            service in
            func listener(_ count: Int) throws -> UnixClient {
                let client = try service.connect()
                let list = (0..<count).map { "\"\(IPAddress(v4: 0x0A00_0000 + UInt32($0)))\"" }.joined(separator: ",")
                try client.send(
                    #"{"method":"io.iprecord.Control.Monitor","parameters":{"addresses":[\#(list)]},"more":true}"#)
                // The call has been handled once a later client is answered.
                let other = try service.connect()
                try other.send(CallText.status)
                #expect(try other.message()?.contains("\"watched\"") == true)
                return client
            }
            let (small, great, next) = (try listener(1_000), try listener(2_000), try listener(600))
            #expect(try great.messagesToTheEnd().isEmpty, "the client was disconnected")
            let client = try service.connect()
            try client.send(CallText.add("10.0.0.1"))
            _ = try client.message()
            for listener in [small, next] { #expect(try listener.message()?.contains("10.0.0.1") == true) }
        }
    }

    @Test func `thousands of calls of one client do not delay another client`() async throws {
        try await Service.run { service in
            let (hasty, client) = (try service.connect(), try service.connect())
            for each in [hasty, client] {
                try each.send(CallText.info)
                _ = try each.message()
            }
            let silent = #"{"method":"io.iprecord.Control.Status","oneway":true}"#
            try hasty.send(bytes: CallText.bytes(Array(repeating: silent, count: 20_000) + [CallText.status]))
            try client.send(CallText.status)
            #expect(try client.message()?.contains("\"watched\"") == true)
            var state = pollfd(fd: hasty.descriptor, events: Int16(POLLIN), revents: 0)
            #expect(poll(&state, 1, 0) == 0, "other clients are disconnected before it")
            #expect(try hasty.message()?.contains("\"watched\"") == true)
        }
    }

    @Test func `a listener that does not read is dropped, and other listeners are not`() async throws {
        try await Service.run { service in
            let (sleeper, listener, client) = (try service.connect(), try service.connect(), try service.connect())
            for each in [sleeper, listener] { try each.send(CallText.monitor("added")) }
            let heard = Tally()
            let count = 45_000
            Thread.detachNewThread {
                // A missing event makes the count below too small.
                for _ in 0..<count { if (try? listener.message()) != nil { heard.note() } }
            }
            for part in 0..<3 {
                let addresses = (0..<count / 3).map {
                    "\"\(IPAddress(v4: 0x0A00_0000 + UInt32(part * count / 3 + $0)))\""
                }
                let list = addresses.joined(separator: ",")
                try client.send(#"{"method":"io.iprecord.Control.Add","parameters":{"addresses":[\#(list)]}}"#)
                #expect(try client.message() == #"{"parameters":{"added":\#(count / 3),"already":0}}"#)
            }
            #expect(heard.wait(for: count))
            #expect(try sleeper.messagesToTheEnd().count < count)
        }
    }

    @Test func `a listener that catches up with many events is not dropped`() async throws {
        try await Service.run { service in
            let (slow, client) = (try service.connect(), try service.connect())
            let count = 45_000
            for part in 0..<3 {
                let addresses = (0..<count / 3).map {
                    "\"\(IPAddress(v4: 0x0A00_0000 + UInt32(part * count / 3 + $0)))\""
                }
                let list = addresses.joined(separator: ",")
                try client.send(#"{"method":"io.iprecord.Control.Add","parameters":{"addresses":[\#(list)]}}"#)
                _ = try client.message()
            }
            try slow.send(#"{"method":"io.iprecord.Control.Monitor","parameters":{"after":0},"more":true}"#)
            // The listener reads nothing while the daemon answers other calls, for as long as it takes to read all
            // events.
            for _ in 0..<3_000 {
                try client.send(CallText.status)
                _ = try client.message()
            }
            for seq in 1...count {
                let message = try slow.message()
                guard message?.contains(#""seq":\#(seq),"#) == true || message?.contains(#""seq":\#(seq)}"#) == true
                else {
                    Issue.record("event \(seq) is \(message ?? "missing: the connection ended")")
                    return
                }
            }
        }
    }

    @Test func `listeners that hang up free their places`() async throws {
        try await Service.run { service in
            let client = try service.connect()
            // Only fifty at once, because this process holds both ends of each connection and has few descriptors.
            for _ in 0...Limits.listeners / 50 {
                for _ in 0..<50 {
                    let listener = try service.connect()
                    try listener.send(CallText.monitor("added"))
                    listener.close()
                }
                try service.waitForSockets(2)
            }
            let last = try service.connect()
            try last.send(CallText.monitor("added"))
            try client.send(CallText.add("10.0.0.1"))
            _ = try client.message()
            #expect(try last.message()?.contains(#""kind":"added""#) == true)
        }
    }
}
