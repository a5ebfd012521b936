import Control
import Testing

@testable import ipctl

@Suite struct FilterTextTests {
    @Test func `a filter is shown as its conditions`() {
        var filter = Interface.Filter()
        (filter.search, filter.states, filter.pinned) = ("cloud", ["stale"], true)
        (filter.tags, filter.notTags) = (["dns", "prod"], ["test"])
        (filter.countryCodes, filter.asns, filter.flags) = (["DE"], [3_320], ["proxy"])
        filter.notCountryCodes = ["AT", "CH"]
        #expect(
            filter.text
                == "search \"cloud\", state stale, tag dns or prod, not tag test, country DE, not country AT or CH, "
                + "AS3320, proxy, pinned")
        var changed = Interface.Filter()
        (changed.changedSince, changed.changedFields) = (Sample.now, ["isp", "org"])
        #expect(changed.text == "changed since \(Times.date(Sample.now)) in isp or org")
    }

    @Test func `top shows its filters at any height`() {
        var filter = Interface.Filter()
        filter.tags = ["prod"]
        for (rows, line) in [(24, " Filters   tag prod"), (8, " only tag prod")] {
            var model = TopModel(size: WindowSize(columns: 80, rows: rows), filter: filter)
            _ = model.nextRequest(at: Sample.now)
            model.handle(Sample.status())
            #expect(model.nextRequest(at: Sample.now) == .page(chunks: 0..<1, .init(fixed: filter)))
            let lines = TopFrame(model: model, now: Sample.now).canvas.lines(on: .wide(80))
            #expect(lines.contains { $0.hasPrefix(line) })
        }
    }

    @Test func `Esc keeps the filters of the command line`() {
        var filter = Interface.Filter()
        filter.tags = ["prod"]
        var model = TopModel(size: WindowSize(columns: 80, rows: 24), filter: filter)
        for key in [.character("s"), .escape] as [KeyPress] { model.handle(key) }
        #expect(model.list.filter == .init(fixed: filter))
    }
}
