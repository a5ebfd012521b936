import IPAPI
import RecordKeeping
import Testing

@Suite struct ProviderRequestTests {
    @Test func `a call for one address is a GET with all fields`() throws {
        let request = ProviderRequest(try single("1.1.1.1"), to: try Provider())
        #expect(request.method == "GET")
        #expect(request.path == "/json/1.1.1.1")
        #expect(request.query == "fields=66846719&lang=en")
        #expect(request.body == nil)
    }

    @Test func `the path contains an IPv6 address in canonical form`() throws {
        let request = ProviderRequest(try single("2001:DB8::0:1"), to: try Provider())
        #expect(request.path == "/json/2001:db8::1")
    }

    @Test func `a batch is a POST of an array of strings`() throws {
        let call = try batch("1.1.1.1", "::1", "::ffff:8.8.8.8")
        let request = ProviderRequest(call, to: try Provider(language: "pt-BR"))
        #expect(request.method == "POST")
        #expect(request.path == "/batch")
        #expect(request.query == "fields=66846719&lang=pt-BR")
        #expect(request.body.map { String(decoding: $0, as: UTF8.self) } == #"["1.1.1.1","::1","8.8.8.8"]"#)
    }

    @Test func `the query contains the key, percent-encoded`() throws {
        let request = ProviderRequest(try single("1.1.1.1"), to: try Provider(key: "aZ9-._~&=+#%/\""))
        #expect(request.query == "fields=66846719&lang=en&key=aZ9-._~%26%3D%2B%23%25%2F%22")
    }
}
