import RecordKeeping
import Testing

@testable import IPAPI

@Suite struct HTTPProxyTests {
    @Test(arguments: [
        ("http://proxy.example:3128", "proxy.example:3128"),
        ("http://proxy.example:3128/", "proxy.example:3128"),
        ("HTTP://Proxy.Example.:3128", "proxy.example:3128"),
        ("proxy.example:3128", "proxy.example:3128"),
        ("http://proxy.example:80", "proxy.example:80"),
        ("http://proxy.example", "proxy.example:1080"),
        ("proxy.example", "proxy.example:1080"),
        ("http://192.0.2.1:8080", "192.0.2.1:8080"),
        ("http://[2001:DB8::1]:8080", "[2001:db8::1]:8080"),
        ("http://[2001:db8::1]", "[2001:db8::1]:1080"),
        ("http://user:secret@proxy.example:3128", "proxy.example:3128"),
        ("http://user@proxy.example:3128", "proxy.example:3128"),
        ("http://user:secret@[2001:db8::1]:3128/", "[2001:db8::1]:3128"),
    ])
    func `a proxy is described by its host and port`(written: String, read: String) throws {
        #expect(try HTTPProxy(written).description == read)
    }

    @Test(arguments: [
        ("http://user:secret@p:1", "user", "secret"),
        ("http://user@p:1", "user", ""),
        ("http://user:@p:1", "user", ""),
        ("http://:secret@p:1", "", "secret"),
        ("http://user:a:b@p:1", "user", "a:b"),
        ("http://user:a@b@p:1", "user", "a@b"),
        ("http://us%65r:p%40ss%3a%2F@p:1", "user", "p@ss:/"),
        ("http://user:schl%C3%BCssel@p:1", "user", "schlüssel"),
    ])
    func `the user name and password are decoded`(url: String, user: String, password: String) throws {
        let login = try #require(try HTTPProxy(url).login)
        #expect(login.user == user)
        #expect(login.password == password)
    }

    @Test(arguments: ["http://p:1", "http://@p:1", "p"])
    func `a URL without a user name has no login`(url: String) throws {
        #expect(try HTTPProxy(url).hasLogin == false)
    }

    @Test(arguments: [
        "", "http://", "https://proxy.example:3128", "socks5://proxy.example:1080", "http://proxy.example:0",
        "http://proxy.example:65536", "http://proxy.example:port", "http://proxy.example:3128/path",
        "http://proxy.example:3128?x", "http://proxy example:3128", "http://2001:db8::1", "http://user:hunter2",
        "http://hunter2:3128:3128", "http://user:hunter2@", "http://user:hunter2@:3128", "user://hunter2@proxy:1",
        "http://user:hunter2@proxy.example:3128 ", "http://user:hunt/er2@proxy:1", "http://user:hunter2%@proxy:1",
        "http://user:hunter2%4@proxy:1", "http://user:hunter2%zz@proxy:1", "http://user:hunter2%0A@proxy:1",
        "http://user:hunter2%FF@proxy:1", "http://us%3Aer:hunter2@proxy:1", "http://us\u{1B}er:hunter2@proxy:1",
    ])
    func `an invalid URL is refused, and not quoted`(url: String) throws {
        let error = try #require(throws: ProviderError.self) { try HTTPProxy(url) }
        #expect(error.description.contains("proxy.example:3128"), "an example of a valid URL")
        for part in ["hunt", "65536", "port@", "2001"] { #expect(!error.description.contains(part)) }
    }

    @Test func `the length of the URL is limited`() throws {
        func url(bytes: Int) -> String { "http://u:" + String(repeating: "x", count: bytes - 13) + "@p:1" }
        #expect(url(bytes: 1_024).utf8.count == 1_024)
        #expect(try HTTPProxy(url(bytes: 1_024)).hasLogin)
        #expect(throws: ProviderError.self) { try HTTPProxy(url(bytes: 1_025)) }
    }

    @Test func `no textual form of a proxy contains the password`() throws {
        let proxy = try HTTPProxy("http://user:hunter2@proxy.example:3128")
        let provider = try Provider(proxy: proxy)
        var dumped = ""
        dump(provider, to: &dumped)
        let texts = ["\(proxy)", String(reflecting: proxy), "\(provider)", String(reflecting: provider), dumped]
        for text in texts + [provider.connectedName, provider.throughProxy] {
            #expect(!text.contains("hunter2") && !text.contains("dXNlcjpodW50ZXIy"))
        }
        #expect(proxy.login?.encoded == "dXNlcjpodW50ZXIy")
    }

    @Test func `the daemon connects to the proxy if there is one`() throws {
        let direct = try Provider()
        #expect(direct.connectedHost == "ip-api.com" && direct.connectedName == "ip-api.com")
        let provider = try Provider(proxy: HTTPProxy("proxy.example:3128"))
        #expect(provider.connectedHost == "proxy.example")
        #expect(provider.connectedName == "the proxy proxy.example:3128")
        #expect(provider.name == "ip-api.com")
    }
}
