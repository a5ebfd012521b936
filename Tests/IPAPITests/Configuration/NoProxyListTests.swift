import RecordKeeping
import Testing

@testable import IPAPI

/// The cases follow curl(1), "ENVIRONMENT", curl's own unit test of the list (tests/unit/unit1614.c), and the behaviour
/// of curl.
@Suite struct NoProxyListTests {
    @Test(arguments: [
        ("*", "www.example.com", true),
        (" * ", "www.example.com", false),
        ("*,localhost", "www.example.com", false),
        ("localhost,*", "www.example.com", false),
        ("", "www.example.com", false),
        (",, ,", "www.example.com", false),
        ("example.com", "example.com", true),
        ("EXAMPLE.com", "example.com", true),
        ("example.com", "www.example.com", true),
        (".example.com", "www.example.com", true),
        (".example.com", "example.com", true),
        ("example.com.", "www.example.com", true),
        (".example.com.", "example.com", true),
        ("example.com", "nonexample.com", false),
        ("www.example.com", "example.com", false),
        (".", "example.com", false),
        ("localhost, example.com", "www.example.com", true),
        ("localhost ,\texample.com ", "www.example.com", true),
        ("localhost,,,example.com", "www.example.com", true),
        (" ,example.com", "www.example.com", true),
        // Without a comma, a space ends the list.
        ("example.com localhost", "www.example.com", true),
        ("localhost example.com", "www.example.com", false),
        ("localhost x,example.com", "www.example.com", false),
        ("*.example.com", "www.example.com", false),
        ("com", "example.com", true),
    ])
    func `a name matches the host and the hosts below it`(list: String, host: String, isContained: Bool) throws {
        #expect(NoProxyList(list).contains(try BaseURL("http://\(host)")) == isContained)
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1", true),
        ("192.0.2.1", "192.0.2.10", false),
        ("192.0.2.0/24", "192.0.2.1", true),
        ("192.0.2.77/24", "192.0.2.1", true),
        ("192.0.3.0/24", "192.0.2.1", false),
        ("192.0.0.0/16", "192.0.2.1", true),
        ("192.0.2.128/25", "192.0.2.127", false),
        ("192.0.2.128/25", "192.0.2.128", true),
        ("192.0.2.1/32", "192.0.2.1", true),
        ("192.0.2.1/32", "192.0.2.2", false),
        ("0.0.0.0/0", "192.0.2.1", true),
        ("192.0.2.0/33", "192.0.2.1", false),
        ("192.0.2.0/-1", "192.0.2.1", false),
        ("192.0.2.0/", "192.0.2.1", false),
        ("192.0.2.0/x", "192.0.2.1", false),
        ("192.0.2", "192.0.2.1", false),
        ("2", "192.0.2.2", false),
        ("example.com,192.0.2.1", "192.0.2.1", true),
        ("192.0.2.1:8080", "192.0.2.1", false),
        ("[2001:db8::1]", "[2001:db8::1]", false),
        ("2001:db8::1", "[2001:db8::1]", true),
        ("2001:db8:0::0001", "[2001:db8::1]", true),
        ("2001:db8::/32", "[2001:db8:1::1]", true),
        ("2001:db8::/127", "[2001:db8::2]", false),
        ("::/0", "[2001:db8::1]", true),
        ("::/0", "192.0.2.1", false),
        ("0.0.0.0/0", "[2001:db8::1]", false),
        ("192.0.2.1", "example.com", false),
    ])
    func `an address matches itself, and a network its addresses`(list: String, host: String, isContained: Bool) throws
    {
        #expect(NoProxyList(list).contains(try BaseURL("http://\(host):8080")) == isContained)
    }
}
