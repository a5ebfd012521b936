import ArgumentParser
import SimulationCommands
import Testing

/// The options of both simulation commands.
struct SeedOptionsTests {
    @Test func `no option is required`() throws {
        let options = try SeedOptions.parse([])
        #expect(options.seeds == nil)
        #expect(options.from == 1)
        #expect(options.hours == nil)
        #expect(options.shrink == nil)
        #expect(options.jobs == nil)
    }

    @Test(arguments: [
        ["--seeds", "1"], ["--hours", "0.01"], ["--hours", "10000"], ["--shrink", "0"], ["--jobs", "1"],
        ["--from", "0"], ["--seeds", "9223372036854775807", "--from", "9223372036854775807"],
    ])
    func `extreme values are accepted`(options: [String]) throws {
        _ = try SeedOptions.parse(options)
    }

    @Test(arguments: [
        ["--seeds", "0"], ["--hours", "0.009"], ["--hours", "10001"], ["--hours", "nan"], ["--shrink=-1"],
        ["--jobs", "0"], ["--from", "9223372036854775808"],
    ])
    func `values out of range are refused, with the range`(options: [String]) throws {
        let error = #expect(throws: (any Error).self) { try SeedOptions.parse(options) }
        let message = error.map { SeedOptions.message(for: $0) } ?? ""
        #expect(message.hasPrefix("\(options[0].prefix { $0 != "=" }): expected "))
    }
}
