import ProviderModel
import RecordKeeping
import Testing

@Suite struct ProviderModelTests {
    @Test func `the free tier allows 45 single calls a minute and then answers 429 with an empty body`() {
        var model = ProviderModel()
        for left in (0..<45).reversed() {
            let response = model.get("1.1.1.1")
            #expect(response.status == 200 && response.remaining == left)
        }
        let refused = model.get("1.1.1.1", at: after(10))
        #expect(refused.status == 429 && refused.body.isEmpty)
        #expect(refused.header("X-Rl") == "0" && refused.header("X-Ttl") == "50")
        #expect(model.offences == 1)
        let next = model.get("1.1.1.1", at: after(60))
        #expect(next.status == 200 && next.remaining == 44)
    }

    @Test func `each endpoint has its own quota`() {
        var model = ProviderModel()
        for _ in 0..<15 { #expect(model.post(["1.1.1.1"]).status == 200) }
        #expect(model.post(["1.1.1.1"]).status == 429)
        #expect(model.get("1.1.1.1").remaining == 44)
    }

    @Test func `an endpoint without a quota sends no quota headers`() {
        var settings = ModelSettings()
        settings.batchQuota = nil
        var model = ProviderModel(settings)
        for _ in 0..<100 { #expect(model.post(["1.1.1.1"]).status == 200) }
        let response = model.post(["1.1.1.1"])
        #expect(response.header("X-Rl") == nil && response.header("X-Ttl") == nil)
        #expect(model.window(of: .batch, at: after(0).boot) == nil)
    }

    @Test func `a client that continues after 429 is banned for a while, repeatedly`() {
        var settings = ModelSettings()
        settings.singleQuota = 1
        settings.offencesUntilBan = 3
        settings.banLength = .seconds(100)
        var model = ProviderModel(settings)
        let statuses = (0..<6).map { _ in model.get("1.1.1.1").status }
        #expect(statuses == [200, 429, 429, 429, 403, 403])
        #expect(model.post(["1.1.1.1"], at: after(99)).status == 403)
        #expect(model.get("1.1.1.1", at: after(100)).status == 200)
        let again = (0..<4).map { _ in model.get("1.1.1.1", at: after(100)).status }
        #expect(again == [429, 429, 429, 403])
    }

    @Test func `a ban without a length is permanent`() {
        var settings = ModelSettings()
        settings.singleQuota = 0
        settings.offencesUntilBan = 1
        settings.banLength = nil
        var model = ProviderModel(settings)
        #expect(model.get("1.1.1.1").status == 429)
        #expect(model.get("1.1.1.1", at: after(1e6)).status == 403)
        #expect(model.isBanned(at: after(1e9).boot))
    }

    @Test func `a batch of more than 100 is refused with 422 in plain text, and counts`() {
        var model = ProviderModel()
        #expect(model.post(Array(repeating: "1.1.1.1", count: 100)).status == 200)
        let response = model.post(Array(repeating: "1.1.1.1", count: 101))
        #expect(response.status == 422 && response.remaining == 13)
        #expect(response.header("content-type")?.hasPrefix("text/plain") == true)
    }

    @Test(arguments: [
        ("GET", "/batch", 405), ("POST", "/json/1.1.1.1", 405), ("GET", "/", 404), ("GET", "/jsonx", 404),
        ("POST", "/batch", 422), ("GET", "/json/1.1.1.1", 200),
    ])
    func `a request that is not a call is refused`(method: String, path: String, status: Int) {
        var model = ProviderModel()
        #expect(model.answer(ModelRequest(method: method, path: path), at: after(0)).status == status)
        #expect(model.callCount == (status == 200 ? 1 : 0))
    }

    @Test(arguments: ["", "5", "{}", "[5]", "[\"1.1.1.1\"", "[{}]", "\u{0}"])
    func `a batch that is not an array of queries is refused with 422`(body: String) {
        var model = ProviderModel()
        let request = ModelRequest(method: "POST", path: "/batch", body: Array(body.utf8))
        #expect(model.answer(request, at: after(0)).status == 422)
    }

    @Test func `a batch accepts objects as well as strings`() throws {
        var model = ProviderModel()
        let body = #"[{"query":"1.1.1.1","fields":"query,country","lang":"de"},"8.8.8.8"]"#
        let request = ModelRequest(method: "POST", path: "/batch", query: "fields=query", body: Array(body.utf8))
        let elements = try model.answer(request, at: after(0)).elements()
        #expect(elements.map(\.query) == ["1.1.1.1", "8.8.8.8"])
        #expect(elements.map { $0.country != nil } == [true, false])
    }

    @Test(arguments: [
        ("10.1.2.3", "private range"), ("192.168.1.1", "private range"), ("172.16.0.1", "private range"),
        ("fd00::1", "private range"), ("127.0.0.1", "reserved range"), ("::1", "reserved range"),
        ("192.0.2.1", "reserved range"), ("2001:db8::1", "reserved range"), ("240.0.0.1", "reserved range"),
        ("one.one.one.one", "invalid query"), ("1.1.1", "invalid query"), ("", "invalid query"),
        ("1.1.1.1%2F8", "invalid query"),
    ])
    func `a query without a record fails with the documented message`(query: String, message: String) throws {
        var model = ProviderModel()
        let response = model.get(query)
        let element = try response.element()
        #expect(response.status == 200)
        #expect(element.status == "fail" && element.message == message && element.country == nil)
    }

    @Test func `kept elements are the same as new ones`() throws {
        var settings = ModelSettings()
        (settings.batchQuota, settings.keepsElements) = (nil, true)
        var keeping = ProviderModel(settings)
        settings.keepsElements = false
        var making = ProviderModel(settings)
        for step in 0..<12 {
            if step == 4 {
                keeping.change(try IPAddress("1.1.1.1"))
                making.change(try IPAddress("1.1.1.1"))
            }
            if step == 8 {
                keeping.inject(.changedRecord, calls: 1)
                making.inject(.changedRecord, calls: 1)
            }
            let queries = ["1.1.1.1", "::1", "0::1", "abc", "10.0.0.1", "8.8.8.\(step % 4)"]
            let fields = step % 3 == 0 ? "fields=query,city" : "fields=66846719"
            #expect(keeping.post(queries, query: fields).text == making.post(queries, query: fields).text)
        }
    }

    @Test func `fields are selected by a sum of bits or by names`() throws {
        var model = ProviderModel()
        #expect(model.get("1.1.1.1", query: "fields=8193").text.hasPrefix(#"{"country":""#))
        #expect(model.get("1.1.1.1", query: "fields=query").text == #"{"query":"1.1.1.1"}"#)
        #expect(
            model.get("1.1.1.1", query: "lang=ja&fields=status,query,nonsense").text
                == #"{"status":"success","query":"1.1.1.1"}"#)
        #expect(model.get("1.1.1.1", query: "fields=0").text == "{}")
        let standard = try model.get("1.1.1.1", query: nil).element()
        #expect(standard.country != nil && standard.reverse == nil && standard.hosting == nil)
        #expect(try model.get("1.1.1.1").element().hosting != nil)
    }

    @Test func `a missing or wrong key is refused if one is required`() {
        var settings = ModelSettings()
        settings.requiredKey = "a b"
        var model = ProviderModel(settings)
        #expect(model.get("1.1.1.1", query: "fields=1&key=a%20b").status == 200)
        #expect(model.get("1.1.1.1", query: "key=ab").status == 403)
        #expect(model.get("1.1.1.1", query: nil).text.contains("invalid/expired key"))
    }

    @Test func `the log contains the time, addresses, status and remaining quota of each call`() throws {
        var model = ProviderModel()
        _ = model.get("1.1.1.1", at: after(1))
        model.inject(.reset, calls: 1)
        _ = model.post(["::1", "abc"], at: after(2))
        let calls = model.calls
        #expect(calls.map(\.number) == [1, 2])
        #expect(calls.map(\.at) == [after(1), after(2)])
        #expect(calls.map(\.endpoint) == [.single, .batch])
        #expect(calls.map(\.queries) == [["1.1.1.1"], ["::1", "abc"]])
        #expect(calls[1].addresses == [try IPAddress("::1")])
        #expect(calls.map(\.status) == [200, nil])
        #expect(calls.map(\.remaining) == [44, 14])
        model.forgetCalls()
        #expect(model.calls.isEmpty && model.callCount == 2)
    }

    @Test func `the log of calls is bounded`() {
        var settings = ModelSettings()
        settings.loggedCalls = 10
        settings.singleQuota = nil
        var model = ProviderModel(settings)
        for _ in 0..<105 { _ = model.get(String(repeating: "x", count: 500)) }
        #expect(model.calls.map(\.number) == Array(96...105))
        #expect(model.calls.allSatisfy { $0.queries[0].count == 64 })
    }

    @Test func `the same requests get the same responses`() {
        func run() -> [ModelResponse] {
            var model = ProviderModel()
            return (0..<60).map { model.get("8.8.\($0).1", at: after(Double($0))) }
        }
        #expect(run() == run())
    }
}
