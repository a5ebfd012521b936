import Glibc
import RecordKeeping
import Testing

@Suite struct AddressFinderTests {
    /// Returns the bytes of each address with everything attached to it.
    static func extents(in text: String) -> [String] {
        let bytes = Array(text.utf8)
        return AddressFinder.addresses(in: bytes).map { String(decoding: bytes[$0.extent], as: UTF8.self) }
    }

    static func addresses(in text: String) -> [String] {
        AddressFinder.addresses(in: Array(text.utf8)).map { "\($0.address)" }
    }

    @Test(arguments: [
        ("192.0.2.1", ["192.0.2.1"]), ("2001:db8::1", ["2001:db8::1"]), ("::1", ["::1"]),
        ("192.0.2.1:80", ["192.0.2.1"]), ("[192.0.2.1]:25", ["192.0.2.1"]), ("[2001:db8::1]:443", ["2001:db8::1"]),
        ("[2001:db8::1]", ["2001:db8::1"]), ("http://[2001:DB8:0::1]:8080/x", ["2001:db8::1"]),
        ("::ffff:192.0.2.1", ["192.0.2.1"]), ("::ffff:192.0.2.1:443", ["192.0.2.1"]),
        ("[::ffff:192.0.2.1]:443", ["192.0.2.1"]), ("::FFFF:c000:201", ["192.0.2.1"]),
        ("64:ff9b::192.0.2.1", ["64:ff9b::c000:201"]), ("fe80::1%eth0", ["fe80::1"]),
        ("2001:db8:1:2:3:4:5:6", ["2001:db8:1:2:3:4:5:6"]), ("2001:db8::", ["2001:db8::"]), ("ff02::fb", ["ff02::fb"]),
        ("192.0.2.0/24", ["192.0.2.0"]), ("2001:db8::/32", ["2001:db8::"]), ("fd00::1", ["fd00::1"]),
        ("2001:db8::1:51234", ["2001:db8::1"]),
        ("2001:db8::1.443 > 2001:db8::2.51234:", ["2001:db8::1", "2001:db8::2"]),
        ("192.0.2.1-192.0.2.9", ["192.0.2.1", "192.0.2.9"]), ("192.0.2.1 - 192.0.2.9", ["192.0.2.1", "192.0.2.9"]),
        ("192.0.2.1,192.0.2.2", ["192.0.2.1", "192.0.2.2"]), ("192.0.2.1:80-192.0.2.2:81", ["192.0.2.1", "192.0.2.2"]),
        ("192.0.2.1:443->198.51.100.7:5555", ["192.0.2.1", "198.51.100.7"]), ("user@192.0.2.1", ["192.0.2.1"]),
        ("client:192.0.2.1", ["192.0.2.1"]), ("source:2001:db8::1", ["2001:db8::1"]), ("face:192.0.2.1", ["192.0.2.1"]),
        ("12:192.0.2.1", ["192.0.2.1"]), ("1234:2001:db8::1", ["2001:db8::1"]), ("12:34:56:192.0.2.1", ["192.0.2.1"]),
        ("access.log:12:2001:db8::1 - -", ["2001:db8::1"]), ("addr:::1", ["::1"]), ("/192.0.2.1:80", ["192.0.2.1"]),
        ("localhost/192.0.2.1:80", ["192.0.2.1"]), ("GET /show/192.0.2.1 HTTP/1.1", ["192.0.2.1"]),
        ("from 192.0.2.1.", ["192.0.2.1"]), ("from 2001:db8::1.", ["2001:db8::1"]),
        ("from 192.0.2.1...", ["192.0.2.1"]),
        ("2001:db8::1: refused", ["2001:db8::1"]), ("2001:db8::: refused", ["2001:db8::"]),
        ("192.0.2.1: refused", ["192.0.2.1"]), (#"\\192.0.2.1\share"#, ["192.0.2.1"]), ("(192.0.2.1)", ["192.0.2.1"]),
        ("192.0.2.1% of", ["192.0.2.1"]), ("来自192.0.2.1的", ["192.0.2.1"]), ("“2001:db8::1”", ["2001:db8::1"]),
        ("2001:db8::1-2001:db8::9", ["2001:db8::1", "2001:db8::9"]), ("::192.0.2.1", ["192.0.2.1"]),
        ("\u{1B}[31m192.0.2.1\u{1B}[0m", ["192.0.2.1"]), ("\u{1B}[38;2;255;255;255m2001:db8::1", ["2001:db8::1"]),
        ("\u{1B}[01;31m\u{1B}[K192.0.2.1\u{1B}[m\u{1B}[K", ["192.0.2.1"]), ("\u{1B}[m::1", ["::1"]),
    ])
    func `addresses are found in every notation`(text: String, expected: [String]) {
        #expect(Self.addresses(in: text) == expected)
        for around in [" \(text) ", "(\(text))", "=\(text),", "\"\(text)\"", "é\(text)é", "\n\(text)\r\n"] {
            #expect(Self.addresses(in: around) == expected, "\(around)")
        }
    }

    @Test(arguments: [
        "", ".", ":", "::", ":::", "...", "1.2.3", "1.2.3.4.5", ".1.2.3.4", "v1.2.3.4", "1.2.3.4x", "x_1.2.3.4",
        "256.1.1.1", "1.2.3.1000", "01.2.3.4", "1.2.3.4-rc1", "1.2.3.4-5", "linux-5.10.0.1-amd64", "1.2.3.4+dfsg",
        "1.2.3.4~rc1", "192.0.2.1.example.com", "1.2.0.192.in-addr.arpa", "x.192.0.2.1", "Chrome/120.0.0.0",
        #"Chrome\/120.0.0.0"#, "(Some-App/1.2.3.4)", #"C:\App\1.2.3.4\app.exe"#, #"C:\\App\\1.2.3.4\\app.exe"#,
        "12:34:56", "10/Oct/2000:13:55:36", "2023-10-11T12:34:56.789", "00:1a:2b:3c:4d:5e", "std::string", "a::b",
        "abc::def", "Face::Bad", "feed::Add", "::std", "std::1", "ns::ab::cd", "::", "[::]:80", ":::80", "0.0.0.0.0",
        "aa:bb:cc:dd:ee:ff:00:11", "16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48",
        "f47ac10b-58cc-4372-a567-0e02b2c3d479",
        "deadbeef", "2001:db8::1::2", "2001:db8::12345678", "2001:db8::1x", "x2001:db8::1", "2001:db8:1:2:3:4:5",
        "2001:2002:3:4:5:6:7:8:abcd", "1::2", "1:2:3:4:5:6:7:8", "2001:db8::g", "2001:db8::192.0.2", "%3A192.0.2.1",
        "MAC=02:42:ac:11:00:02:02:42:ac:11:00:03:08:00", "1.3.6.1.4.1.311", "$Id: a.c,v 1.2.3.4.5.6 $", "🏳️::🏳️",
        "[31m1.2.3.4", "m1.2.3.4", "\u{1B}m1.2.3.4",
    ])
    func `other tokens are not addresses`(text: String) {
        #expect(Self.addresses(in: text).isEmpty, "\(text)")
        for around in [" \(text)", "=\(text)=", "'\(text)'"] {
            #expect(Self.addresses(in: around).isEmpty, "\(around)")
        }
    }

    @Test(arguments: [
        ("a [2001:db8::1]:443/x", ["[2001:db8::1]:443"]), ("192.0.2.1:80, 192.0.2.1:", ["192.0.2.1:80", "192.0.2.1"]),
        ("192.0.2.1:65536 192.0.2.1:123456 192.0.2.1:80x", ["192.0.2.1", "192.0.2.1", "192.0.2.1"]),
        ("unknown[192.0.2.1]:25", ["[192.0.2.1]:25"]), ("[client 192.0.2.1:5000]", ["192.0.2.1:5000"]),
        ("192.0.2.0/24, 192.0.2.0/33 192.0.2.0/x", ["192.0.2.0/24", "192.0.2.0", "192.0.2.0"]),
        ("2001:db8::/32 2001:db8::/129", ["2001:db8::/32", "2001:db8::"]), ("fe80::1%eth0.100.", ["fe80::1%eth0.100"]),
        ("[fe80::1%eth0]:80", ["[fe80::1%eth0]:80"]), ("2001:db8::1%20x", ["2001:db8::1"]),
        ("2001:db8::1:51234]", ["2001:db8::1:51234"]), ("::ffff:192.0.2.1:80", ["::ffff:192.0.2.1:80"]),
        ("2001:db8::1.53:", ["2001:db8::1.53"]), ("192.0.2.1:192.0.2.2", ["192.0.2.1", "192.0.2.2"]),
        ("192.0.2.1/192.0.2.2", ["192.0.2.1", "192.0.2.2"]), ("fe80::1%192.0.2.1", ["fe80::1%192.0.2.1"]),
    ])
    func `brackets, ports, zones and prefix lengths belong to the extent`(text: String, expected: [String]) {
        #expect(Self.extents(in: text) == expected)
    }

    @Test func `bytes that are not UTF-8 end a token`() {
        let bytes = [0xFF] + Array("192.0.2.1".utf8) + [0x80, 0x00] + Array("2001:db8::1".utf8) + [0xC3]
        let found = AddressFinder.addresses(in: bytes)
        #expect(found.map(\.range) == [1..<10, 12..<23])
    }

    @Test func `the addresses of a second text replace those of the first`() {
        var found: [FoundAddress] = []
        for text in ["192.0.2.1", " ::1"] {
            Array(text.utf8).withUnsafeBufferPointer { AddressFinder.find(in: $0, into: &found) }
        }
        #expect(found.map(\.range) == [1..<4])
    }

    /// Returns the processor time of a search, which does not include other tests.
    private static func processorTime(_ part: String, _ count: Int) -> Duration {
        let text = Array(String(repeating: part, count: count).utf8)
        var (began, ended) = (timespec(), timespec())
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &began)
        _ = AddressFinder.addresses(in: text)
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ended)
        return .seconds(ended.tv_sec - began.tv_sec) + .nanoseconds(ended.tv_nsec - began.tv_nsec)
    }

    @Test(arguments: [":", ".", "a:", "1.", "1.2.3.4/", "a/", "\\", "1.2.3.4:", "1.2.3.4-", "::ffff:", "12:"])
    func `time is proportional to the length of the text`(part: String) {
        let (short, long) = (Self.processorTime(part, 10_000), Self.processorTime(part, 80_000))
        #expect(long < short * 24, "it is eight times as long; a quadratic search takes 64 times as long")
    }
}
