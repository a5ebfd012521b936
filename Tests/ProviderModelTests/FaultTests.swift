import ProviderModel
import RecordKeeping
import Testing

@Suite struct FaultTests {
    @Test func `a fault affects a number of calls, or all calls until it is cleared`() {
        var model = ProviderModel()
        model.inject(.status5xx(502), calls: 2)
        #expect((0..<3).map { _ in model.get("1.1.1.1").status } == [502, 502, 200])
        model.inject(.forbidden)
        #expect((0..<3).map { _ in model.get("1.1.1.1").status } == [403, 403, 403])
        model.clearFaults()
        #expect(model.get("1.1.1.1").status == 200 && model.activeFaults.isEmpty)
    }

    @Test func `injecting a fault again replaces its count`() {
        var model = ProviderModel()
        model.inject(.html)
        model.inject(.html, calls: 1)
        #expect(model.activeFaults.map(\.callsLeft) == [1])
        model.inject(.html, calls: 0)
        #expect(model.activeFaults.isEmpty)
    }

    @Test func `a call with a fault spends quota like any other`() {
        var model = ProviderModel()
        model.inject(.hang)
        #expect(model.get("1.1.1.1").delivery == .never)
        #expect(model.window(of: .single, at: after(0).boot)?.remaining == 44)
    }

    @Test(
        arguments: [
            (Fault.status429, 429, ""), (.forbidden, 403, "SSL unavailable"), (.redirect, 302, ""),
            (.html, 200, "<!DOCTYPE"),
            (.notJSON, 200, "this is not"), (.emptyBody, 200, ""), (.status5xx(500), 500, "<!DOCTYPE"),
        ] as [(Fault, Int, String)])
    func `some faults replace the response`(fault: Fault, status: Int, beginning: String) {
        var model = ProviderModel()
        model.inject(fault)
        let response = model.post(["1.1.1.1"])
        #expect(response.status == status && response.delivery == .whole)
        #expect(response.text.contains(beginning) && response.text.isEmpty == beginning.isEmpty)
    }

    @Test func `some faults change the delivery of the response`() throws {
        func delivery(_ fault: Fault) -> (ModelResponse.Delivery, Int) {
            var model = ProviderModel()
            model.inject(fault)
            let response = model.get("1.1.1.1")
            return (response.delivery, response.body.count)
        }
        #expect(delivery(.reset).0 == .reset)
        #expect(delivery(.hang).0 == .never)
        #expect(delivery(.endlessBody).0 == .endless)
        #expect(delivery(.slow(.seconds(3))).0 == .after(.seconds(3)))
        #expect(delivery(.drip(.milliseconds(5))).0 == .dripping(every: .milliseconds(5)))
        let (cut, whole) = delivery(.truncated)
        #expect(cut == .cutShort(bytes: whole / 2) && whole > 100)
    }

    @Test(
        arguments: [
            (Fault.wrongOrder, ["9.9.9.9", "8.8.8.8", "1.1.1.1"]),
            (.missingElement, ["8.8.8.8", "9.9.9.9"]), (.missingElements(2), ["9.9.9.9"]), (.missingElements(5), []),
            (.duplicateElement, ["1.1.1.1", "1.1.1.1", "8.8.8.8", "9.9.9.9"]),
            (.extraElement, ["192.0.2.254", "1.1.1.1", "8.8.8.8", "9.9.9.9"]),
        ] as [(Fault, [String])])
    func `some faults change the elements`(fault: Fault, queries: [String]) throws {
        var model = ProviderModel()
        model.inject(fault)
        #expect(try model.post(["1.1.1.1", "8.8.8.8", "9.9.9.9"]).elements().map(\.query) == queries)
    }

    @Test func `a changed record differs from the previous one in each call`() throws {
        var model = ProviderModel()
        let before = try model.get("1.1.1.1").element()
        model.inject(.changedRecord, calls: 2)
        let changed = try model.get("1.1.1.1").element()
        let again = try model.get("1.1.1.1").element()
        #expect(Set([before.city, changed.city, again.city]).count == 3)
        #expect(try model.get("1.1.1.1").element() == again)
    }

    @Test func `numbers can be sent as strings, and fields as null`() {
        var model = ProviderModel()
        model.inject(.numbersAsStrings, calls: 1)
        #expect(model.get("1.1.1.1", query: "fields=lat,offset").text.contains(#""offset":""#))
        model.inject(.nullFields, calls: 1)
        #expect(
            model.get("1.1.1.1", query: "fields=status,lat,hosting,query").text
                == #"{"status":"success","lat":null,"hosting":null,"query":"1.1.1.1"}"#)
    }

    @Test func `several faults take effect together`() throws {
        var model = ProviderModel()
        model.inject(.wrongOrder)
        model.inject(.slow(.seconds(1)))
        let response = model.post(["1.1.1.1", "8.8.8.8"])
        #expect(response.delivery == .after(.seconds(1)))
        #expect(try response.elements().map(\.query) == ["8.8.8.8", "1.1.1.1"])
    }

    @Test func `every fault can be parsed from its text`() throws {
        let plain = Fault.names.filter { !$0.contains("=") }
        for text in plain + ["status5xx=500", "missingElements=7", "unavailable=90s", "slow=250ms", "drip=1500ms"] {
            #expect(try "\(Fault(text))" == text)
        }
        #expect(try Fault("slow=2s") == .slow(.seconds(2)))
        #expect(try Fault("slow=2") == .slow(.seconds(2)))
        #expect(try Fault("status5xx") == .status5xx(503))
        #expect(try Fault("missingElements") == .missingElements(10))
        #expect(try Fault("unavailable") == .unavailable(.seconds(60)))
    }

    @Test(arguments: [
        "", "hong", "hang=5", "status5xx=404", "status5xx=", "missingElements=0", "slow=", "slow=5h", "slow=-5s",
        "slow=99999999999s",
    ])
    func `an invalid text of a fault is refused`(text: String) {
        #expect(throws: FaultTextError.self) { try Fault(text) }
    }
}
