import RecordKeeping
import Testing

@testable import IPAPI

@Suite struct ProviderTests {
    @Test(arguments: [
        ("http://ip-api.com", "http://ip-api.com"),
        ("http://ip-api.com/", "http://ip-api.com"),
        ("HTTP://IP-API.com.:80", "http://ip-api.com"),
        ("https://pro.ip-api.com:443", "https://pro.ip-api.com"),
        ("http://localhost:8045", "http://localhost:8045"),
        ("http://ip_api:1", "http://ip_api:1"),
        ("http://127.0.0.1:80", "http://127.0.0.1"),
        ("http://[2001:DB8::0:1]:8080/", "http://[2001:db8::1]:8080"),
        ("http://ip-api.com:443", "http://ip-api.com:443"),
    ])
    func `a base URL has one canonical form`(written: String, read: String) throws {
        #expect(try Provider(endpoint: written).endpoint == read)
    }

    @Test(arguments: [
        ("", "begins with http://"),
        ("ip-api.com", "begins with http://"),
        ("ip-api.com:80", "begins with http://"),
        ("http:/ip-api.com", "begins with http://"),
        ("ftp://ip-api.com", "unknown scheme \"ftp\""),
        ("http://", "missing host"),
        ("http://:80", "missing host"),
        ("http:///json", "remove \"/\""),
        ("http://ip-api.com/json", "remove \"/\""),
        ("http://ip-api.com?key=abc", "remove \"?\""),
        ("http://ip-api.com#x", "remove \"#\""),
        ("http://ip-api.com//", "remove \"/\""),
        ("http://ip-api.com:", "is not a port"),
        ("http://ip-api.com:0", "is not a port"),
        ("http://ip-api.com:65536", "is not a port"),
        ("http://ip-api.com:+80", "is not a port"),
        ("http://ip-api.com:80:80", "must be in brackets"),
        ("http://2001:db8::1", "must be in brackets"),
        ("http://[2001:db8::1", "missing \"]\" after the IPv6 address"),
        ("http://[2001:db8::1]80", "only a port may follow"),
        ("http://[ip-api.com]", "is not an IP address"),
        ("http://1.2.3", "is not an IP address"),
        ("http://1.2.3.256", "is not an IP address"),
        ("http://-ip.com", "is not a host name"),
        ("http://ip..com", "is not a host name"),
        ("http://ip-api.com ", "without white space"),
        ("http://ip\u{0}api.com", "without white space"),
        ("http://ïp-api.com", "at most 512 ASCII characters"),
        ("http://\(String(repeating: "a", count: 600)).com", "at most 512 ASCII characters"),
    ])
    func `an invalid endpoint is refused with an explanation`(written: String, problem: String) throws {
        let error = try #require(throws: ProviderError.self) { try Provider(endpoint: written) }
        #expect(error.description.contains(problem))
    }

    @Test func `a password in the URL is refused and not quoted`() throws {
        for written in ["http://me:hunter2@ip-api.com", "http://hunter2@ip-api.com:80/", "http://ip-api.com@hunter2"] {
            let error = try #require(throws: ProviderError.self) { try Provider(endpoint: written) }
            #expect(error.description.contains("key-file"))
            #expect(!error.description.contains("hunter2"))
        }
    }

    @Test func `the documented limits apply only to the free host`() throws {
        let free = try Provider(endpoint: "http://IP-API.COM:8080")
        #expect(free.documentedLimits[.single] == 45)
        #expect(free.documentedLimits[.batch] == 15)
        for other in ["https://pro.ip-api.com", "http://www.ip-api.com", "http://127.0.0.1:8045"] {
            #expect(try Provider(endpoint: other).documentedLimits.isEmpty)
        }
    }

    @Test func `all documented languages are accepted, and the error for another one lists them`() throws {
        for language in ["en", "de", "es", "pt-BR", "fr", "ja", "zh-CN", "ru"] {
            #expect(try Provider(language: language).language.rawValue == language)
        }
        for wrong in ["", "EN", "it", "pt"] {
            let error = try #require(throws: ProviderError.self) { try Provider(language: wrong) }
            #expect(error.description.contains("en, de, es, pt-BR, fr, ja, zh-CN, ru"))
        }
    }

    @Test func `a key is read from the text of a file`() throws {
        #expect(try Provider(key: " s3cret\r\n").key?.secret == "s3cret")
        #expect(try Provider(key: "\n \n").hasKey == false)
        #expect(try Provider(key: nil).hasKey == false)
        for wrong in ["s3 cret", "s3cret\nother", "schlüssel", String(repeating: "k", count: 257)] {
            let error = try #require(throws: ProviderError.self) { try Provider(key: wrong) }
            #expect(!error.description.contains(wrong))
        }
    }

    @Test func `no textual form of a provider contains the key`() throws {
        let provider = try Provider(endpoint: "https://pro.ip-api.com", key: "s3cret")
        var dumped = ""
        dump(provider, to: &dumped)
        for text in ["\(provider)", String(reflecting: provider), dumped] {
            #expect(!text.contains("s3cret"))
        }
    }

    @Test func `the key is removed from texts of the provider`() throws {
        let provider = try Provider(key: "a+b/c")
        #expect(provider.withoutKey("no key a+b/c, or a%2Bb%2Fc?") == "no key •••, or •••?")
    }

    @Test(
        arguments: [
            ("https://ip-api.com", nil, "does not support https"),
            ("http://ip-api.com", "k", "does not accept a key"),
            ("https://pro.ip-api.com", nil, "requires a key"),
            ("http://pro.ip-api.com", "k", "in clear text"),
            ("http://ip-api.com", nil, nil),
            ("https://pro.ip-api.com", "k", nil),
            ("https://example.org", "k", nil),
        ] as [(String, String?, String?)])
    func `conflicting or risky settings produce a warning`(endpoint: String, key: String?, caution: String?) throws {
        let provider = try Provider(endpoint: endpoint, key: key)
        #expect((provider.caution == nil) == (caution == nil))
        if let caution { #expect(provider.caution?.contains(caution) == true) }
    }
}
