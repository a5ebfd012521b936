import IPAPI
import RecordKeeping
import Testing

/// The client's handling of malformed, compressed and fragmented responses.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ClientHTTPTests {
    private static let body = #"{"status":"success","city":"a","query":"1.1.1.1"}"#

    private func reported(_ server: CannedServer) async throws -> Result<Reply, CallFailure> {
        await send(try single("1.1.1.1"), to: try server.provider())
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 49\r\n\r\n\(body)",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n31\r\n\(body)\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n30\r\n\(body.dropFirst())\r\n0\r\nX: 1\r\n\r\n",
        "HTTP/1.0 200 OK\r\n\r\n\(body)",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 203 Fine\r\nContent-Length: 49\r\n\r\n\(body)",
    ])
    func `a body is read with any kind of framing`(response: String) async throws {
        let reply = try await reported(try CannedServer(response)).get()
        #expect(reply.answers.values.first?.record?.city == "a")
    }

    @Test func `a server that responds early and closes the connection does not crash the client`() async throws {
        let server = try CannedServer(
            "HTTP/1.1 200 OK\r\nContent-Length: \(Self.body.utf8.count + 2)\r\n\r\n[\(Self.body)]")
        let client = Client(provider: try server.provider(), timeout: .seconds(300)) { Clock.now }
        let call = try batch("1.1.1.1", "8.8.8.8")
        let results = await withTaskGroup(of: [Result<Reply, CallFailure>].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var results: [Result<Reply, CallFailure>] = []
                    // The server responds after the head of the request, and may close before the rest is sent.
                    for _ in 0..<250 { results.append(await client.send(call)) }
                    return results
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        await client.shutdown()
        #expect(results.count == 2_000)
        for result in results {
            #expect(result.failure.map { [.unreachable, .malformed].contains($0.kind) } ?? true, "\(result)")
        }
    }

    @Test(
        arguments: ["Content-Length", "Retry-After", "X-Rl", "X-Ttl", "Age", "Keep-Alive"],
        ["-1", "-9223372036854775808", "9223372036854775807", "18446744073709551616", "1e400", ""])
    func `a header with an extreme number leads to a reply or a failure`(name: String, value: String) async throws {
        let server = try CannedServer("HTTP/1.1 200 OK\r\n\(name): \(value)\r\n\r\n\(Self.body)")
        switch try await reported(server) {
        case .success(let reply): #expect(reply.answers.values.first?.record?.city == "a")
        case .failure(let failure): #expect(!failure.message.isEmpty && failure.message.utf8.count < 400)
        }
    }

    @Test func `a compressed body is read`() async throws {
        let reply = try await reported(try CannedServer(gzip: Gzip.stored(Array(Self.body.utf8)))).get()
        #expect(reply.answers.values.first?.record?.city == "a")
    }

    @Test func `a body that exceeds the bound when decompressed is refused`() async throws {
        let bomb = Gzip.bomb(spaces: 48 << 20)
        #expect(bomb.count < 512 << 10)
        let failed = try await reported(try CannedServer(gzip: bomb)).failure
        #expect(failed?.kind == .malformed)
        #expect(failed?.message.contains("longer than 4194304 bytes") == true, "\(failed?.message ?? "none")")
    }

    @Test(arguments: [0, 5, 20, 60])
    func `a corrupt or truncated compressed body is malformed`(place: Int) async throws {
        var body = Gzip.stored(Array(Self.body.utf8))
        body[place] ^= 0xFF
        let broken = try await reported(try CannedServer(gzip: body))
        // Byte 5 is part of the timestamp in the header, which may have any value.
        if place != 5, place != 20 { #expect(broken.failure?.kind == .malformed, "\(broken)") }
        let cut = try await reported(try CannedServer(gzip: Array(Gzip.stored(Array(Self.body.utf8)).prefix(place))))
        #expect(cut.failure?.kind == .malformed, "\(cut)")
    }

    @Test(arguments: [
        ("SSH-2.0-OpenSSH_9.6\r\n", Failure.Kind.malformed),
        ("HTTP/1.1 abc OK\r\n\r\n", .malformed),
        ("HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n", .malformed),
        ("HTTP/1.1 200 OK\r\nX: \(String(repeating: "x", count: 1_000_000))\r\n\r\n", .malformed),
        ("HTTP/1.1 200 OK\r\nContent-Length: 49\r\n\r\n{\"status\"", .malformed),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n31\r\n{\"sta", .malformed),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", .malformed),
        ("HTTP/1.1 200 OK\r\nContent-Length: 9999999999999\r\n\r\n", .malformed),
        ("", .unreachable),
    ])
    func `an invalid or incomplete HTTP response is a failure with a message`(response: String, kind: Failure.Kind)
        async throws
    {
        let failed = try await reported(try CannedServer(response)).failure
        #expect(failed?.kind == kind, "\(failed?.message ?? "none")")
        #expect(failed?.message.utf8.count ?? 0 > 20)
    }

    @Test(arguments: [(429, Failure.Kind.throttled), (403, .unauthorized), (502, .rejected), (200, .malformed)])
    func `the status and quota of a truncated reply are used`(status: Int, kind: Failure.Kind) async throws {
        let head = "HTTP/1.1 \(status) X\r\nX-Rl: 0\r\nX-Ttl: 9\r\nContent-Length: 100\r\n\r\n"
        let failed = try await reported(try CannedServer("\(head)half a")).failure
        #expect(failed?.kind == kind, "\(failed?.message ?? "none")")
        #expect(failed?.quota == ReportedQuota(remaining: 0, resetsIn: .seconds(9)))
    }

    @Test func `a body of the maximum size is read, and a larger one is refused`() async throws {
        func response(_ count: Int) throws -> CannedServer {
            let padding = String(repeating: " ", count: count - Self.body.utf8.count)
            return try CannedServer("HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n\(Self.body)\(padding)")
        }
        #expect(try await reported(try response(Client.maxBodyBytes)).failure == nil)
        #expect(try await reported(try response(Client.maxBodyBytes + 1)).failure?.kind == .malformed)
    }
}
