import IPAPI
import RecordKeeping
import Testing

@Suite struct MalformedBodyTests {
    @Test(arguments: [
        ("", "an empty body"),
        (" \r\n\t", "an empty body"),
        ("<!DOCTYPE html><html>", "an HTML page, possibly from a captive portal: <"),
        ("\n <html>", "an HTML page, possibly from a captive portal: <"),
        ("Service unavailable", "text that is not JSON: Service unavailable"),
        ("[{\"status\":\"suc", "invalid JSON, possibly truncated"),
        ("[{\"status\":\"success\"}", "invalid JSON: "),
        ("[{]", "invalid JSON: "),
        ("[1,2", "invalid JSON, possibly truncated"),
        ("{\"status\":\"fail\",\"message\":\"busy\"}", "JSON, but not the documented array: {\"status\":\"fail\""),
        ("\"text\"", "JSON, but not the documented array"),
        ("null", "JSON, but not the documented array"),
        ("[] trailing", "invalid JSON"),
    ])
    func `the failure for a body that is not an array describes the body`(body: String, look: String) throws {
        let failed = failure(of: reply(body), to: try batch("1.1.1.1"), from: try Provider())
        #expect(failed?.kind == .malformed)
        #expect(failed?.message.hasPrefix("ip-api.com answered with \(look)") == true, "\(failed?.message ?? "none")")
    }

    @Test(arguments: ["[]", "[{\"status\":\"success\"}]", "5", "null", "true", "\"1.1.1.1\""])
    func `a single reply that is not an object is malformed`(body: String) throws {
        let failed = failure(of: reply(body), to: try single("1.1.1.1"), from: try Provider())
        #expect(failed?.kind == .malformed)
        #expect(failed?.message.contains("not the documented object") == true)
    }

    @Test func `invalid UTF-8 is refused at any position`() throws {
        let head = Array(#"[{"status":"success","unknown":""#.utf8)
        let tail = Array(#"","query":"1.1.1.1"}]"#.utf8)
        for bytes: [UInt8] in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82], [0xF5, 0x80, 0x80, 0x80]] {
            let raw = RawReply(status: 200, body: head + bytes + tail, sentAt: someTime)
            let failed = failure(of: raw, to: try batch("1.1.1.1"), from: try Provider())
            #expect(failed?.message == "ip-api.com answered with a body that is not valid UTF-8")
        }
    }

    @Test func `UTF-16 is refused`() throws {
        let body = #"[{"status":"success","query":"1.1.1.1"}]"#.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let raw = RawReply(status: 200, body: [0xFF, 0xFE] + body, sentAt: someTime)
        #expect(failure(of: raw, to: try batch("1.1.1.1"), from: try Provider())?.kind == .malformed)
    }

    @Test(arguments: [100, 511, 512, 513, 10_000, 1_000_000])
    func `nesting of any depth does not crash the decoder`(depth: Int) throws {
        let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let objects = String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
        let open = String(repeating: "[{\"query\":", count: depth)
        for body in [deep, objects, open, #"[{"status":"success","query":"1.1.1.1","x":\#(deep)}]"#] {
            let call = try batch("1.1.1.1")
            if failure(of: reply(body), to: call, from: try Provider()) == nil {
                #expect(try answers(to: call, in: body).values.allSatisfy { $0.record == Record() })
            }
        }
    }
}
