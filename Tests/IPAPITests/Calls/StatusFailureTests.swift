import IPAPI
import RecordKeeping
import Testing

@Suite struct StatusFailureTests {
    private func singleFailure(of raw: RawReply) throws -> CallFailure? {
        failure(of: raw, to: try single("1.1.1.1"), from: try Provider())
    }

    @Test(arguments: [
        (100, Failure.Kind.rejected), (301, .rejected), (304, .rejected), (400, .rejected), (401, .unauthorized),
        (403, .unauthorized), (404, .rejected), (422, .rejected), (429, .throttled), (500, .rejected), (502, .rejected),
        (599, .rejected),
    ])
    func `each status other than a success has its kind of failure`(status: Int, kind: Failure.Kind) throws {
        let failed = failure(of: reply("[]", status: status), to: try batch("1.1.1.1"), from: try Provider())
        #expect(failed?.kind == kind)
        #expect(failed?.message.contains("\(status)") == true)
    }

    @Test(arguments: [
        ("120", 120), ("0", 0), (" 7 ", 7), ("-5", nil), ("+5", nil), ("99999999999999999999", 86_400),
        ("99999999999", 86_400), ("soon", nil), ("", nil), ("1.5", nil),
        ("Sun, 06 Nov 1994 08:50:37 GMT", 60), ("Sunday, 06-Nov-94 08:50:37 GMT", 60),
        ("Sun Nov  6 08:50:37 1994", 60), ("Sun, 06 Nov 1994 08:00:00 GMT", 0),
        ("Sun, 06 Nov 1994 08:50:37 GMT, later", nil), ("Sun, 99 Nov 1994 08:50:37 GMT", nil),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 86_400), ("Sun, 06 Nov 1994 08:50:37 PST", nil),
        ("Sun, 06 Nov 1994 08:+5:37 GMT", nil),
    ])
    func `the time in Retry-After is read in each of its formats`(value: String, seconds: Int?) throws {
        let headers = [("Retry-After", value), ("Date", "Sun, 06 Nov 1994 08:49:37 GMT")]
        let failed = try singleFailure(of: reply("", status: 503, headers: headers))
        #expect(failed?.retryAfter == seconds.map { .seconds($0) })
        #expect(failed?.quota?.resetsIn == nil, "only a refusal is about the quota")
    }

    @Test func `without a Date header, a date in Retry-After is compared with the time of the call`() throws {
        let raw = reply("", status: 503, headers: [("Retry-After", "Fri, 31 Dec 9999 23:59:59 GMT")])
        #expect(try singleFailure(of: raw)?.retryAfter == .seconds(86_400))
    }

    @Test func `Retry-After does not determine the end of a refusal's quota window`() throws {
        let refused = try singleFailure(of: reply("", status: 429, headers: [("Retry-After", "0")]))
        #expect(refused?.quota?.resetsIn == nil && refused?.retryAfter == .zero)
    }

    @Test func `the failure of a 429 contains the reported quota`() throws {
        let raw = reply("", status: 429, headers: [("X-Rl", "0"), ("X-Ttl", "37")])
        let failed = failure(of: raw, to: try single("1.1.1.1"), from: try Provider())
        #expect(failed?.message == "ip-api.com answered 429: the quota is used up")
        #expect(failed?.quota == ReportedQuota(remaining: 0, resetsIn: .seconds(37)))
    }

    @Test func `the message of a 403 suggests a cause that fits the settings`() throws {
        func message(_ endpoint: String, _ key: String?) throws -> String {
            let body = #"{"status":"fail","message":"invalid/expired key"}"#
            let provider = try Provider(endpoint: endpoint, key: key)
            return try #require(failure(of: reply(body, status: 403), to: try single("1.1.1.1"), from: provider))
                .message
        }
        #expect(
            try message("https://ip-api.com", nil).contains(
                "(invalid/expired key): the free tier of ip-api.com does not support https"))
        #expect(try message("https://pro.ip-api.com", nil).contains("set key-file"))
        #expect(try message("https://pro.ip-api.com", "k").contains("the key is wrong or has expired"))
        #expect(try message("http://ip-api.com", nil).contains("banned"))
    }

    @Test func `the excerpt of a rejection is short and harmless`() throws {
        let page = "\r\n \n<h1>502\u{1B}[31m \(String(repeating: "é", count: 500))</h1>\nmore"
        let failed = failure(of: reply(page, status: 502), to: try single("1.1.1.1"), from: try Provider())
        let message = try #require(failed?.message)
        #expect(message.hasPrefix("ip-api.com answered 502: <h1>502�[31m é"))
        #expect(message.hasSuffix("é…") && message.utf8.count < 200)
        #expect(!message.contains("more"))
    }

    @Test func `a body that is not valid UTF-8 does not change the kind of failure`() throws {
        let raw = RawReply(status: 500, body: [0xFF, 0xFE, 0x00, 0x41], sentAt: someTime)
        #expect(failure(of: raw, to: try single("1.1.1.1"), from: try Provider())?.kind == .rejected)
    }

    @Test func `a redirection is not followed, and the message contains its target`() throws {
        let raw = reply("", status: 302, headers: [("Location", "http://portal.example/login")])
        let failed = failure(of: raw, to: try single("1.1.1.1"), from: try Provider())
        #expect(
            failed?.message
                == "ip-api.com answered 302, a redirect to http://portal.example/login; "
                + "check for a captive portal or a wrong endpoint"
        )
    }

    @Test func `no failure message contains the key`() throws {
        let provider = try Provider(endpoint: "https://pro.ip-api.com", key: "s3+cret")
        let quoting = "your key s3+cret (s3%2Bcret) is not known"
        let bodies = [
            reply(quoting, status: 403), reply(#"{"message":"\#(quoting)"}"#, status: 401), reply(quoting, status: 500),
            reply("", status: 302, headers: [("Location", "http://x/?key=s3%2Bcret")]), reply(quoting),
            reply("<html>\(quoting)"), reply(#"{"a":"\#(quoting)"}"#),
        ]
        for body in bodies {
            let message = failure(of: body, to: try batch("1.1.1.1"), from: provider)?.message
            #expect(message?.contains("•••") == true)
            #expect(message?.contains("s3") == false)
        }
    }

    @Test func `no part of the key remains where a text is truncated`() throws {
        let provider = try Provider(endpoint: "https://pro.ip-api.com", key: "s3cretkey")
        for padding in 100..<125 {
            let text = String(repeating: "-", count: padding) + "s3cretkey"
            let location = [(name: "Location", value: text)]
            for raw in [reply(text), reply(text, status: 500), reply("", status: 302, headers: location)] {
                #expect(failure(of: raw, to: try batch("1.1.1.1"), from: provider)?.message.contains("s3") == false)
            }
        }
    }

    @Test func `no text of an element contains the key`() throws {
        let provider = try Provider(endpoint: "https://pro.ip-api.com", key: "s3cret")
        let call = try batch("1.1.1.1", "8.8.8.8")
        let body =
            #"[{"status":"fail","message":"key s3cret","query":"1.1.1.1"},{"status":"s3cret","query":"8.8.8.8"}]"#
        let answers = try ReplyDecoder(provider).reply(to: call, from: reply(body)).answers
        #expect(answers[call.addresses[0]]?.emptyReason == "key •••")
        #expect(answers[call.addresses[1]]?.problem == "status is \"•••\"; expected \"success\" or \"fail\"")
    }
}
