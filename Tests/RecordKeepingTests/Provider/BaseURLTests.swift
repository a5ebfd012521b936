import RecordKeeping
import Testing

@Suite struct BaseURLTests {
    @Test(
        arguments: [
            ("http://ip-api.com", "ip-api.com", 80), ("https://PRO.ip-api.com./", "pro.ip-api.com", 443),
            ("http://[2001:db8::1]:8080", "2001:db8::1", 8080), ("HTTP://192.0.2.1:81/", "192.0.2.1", 81),
        ])
    func `a URL has a host and a port to connect to`(text: String, host: String, port: Int) throws {
        let url = try BaseURL(text)
        #expect(url.host == host)
        #expect(url.effectivePort == port)
        #expect((url.address == nil) == host.hasSuffix("com"))
    }

    @Test(arguments: ["http://ip-api.com:80/", "HTTP://IP-API.com.", "http://ip-api.com"])
    func `URLs with the same meaning are equal`(text: String) throws {
        #expect(try BaseURL(text) == BaseURL("http://ip-api.com"))
        #expect(try BaseURL(text).description == "http://ip-api.com")
    }

    @Test(
        arguments: [
            "", "ip-api.com", "ftp://ip-api.com", "http://", "http://[::1", "http://a:b", "http://[::1]a", "http://a/b",
            "http://user@a", "http://::1", "http://a:65536", "http://1.2.3", "http://-a",
        ])
    func `other texts are rejected`(text: String) {
        #expect(throws: BaseURL.Invalid.self) { try BaseURL(text) }
    }
}
