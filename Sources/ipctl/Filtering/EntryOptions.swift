import ArgumentParser
import Control
import RecordKeeping

/// Options that select entries by what is known about them now. Different options combine with AND; repeated values of
/// one option combine with OR.
struct EntryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only entries with this text in address, tags, note or record, or in this CIDR block.", valueName: "text"))
    var search: String?

    @Option(
        help: ArgumentHelp(
            "Only entries in this state: \(EntryOptions.states.joined(separator: ", ")); can be repeated.",
            valueName: "state"), completion: .entryStates)
    var state: [String] = []

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Only entries with this tag; if repeated, any of them matches.", valueName: "tag"),
        completion: .usedTags)
    var tag: [String] = []

    @Option(
        help: ArgumentHelp("Leave out entries with this tag; can be repeated.", valueName: "tag"),
        completion: .usedTags)
    var notTag: [String] = []

    @Option(
        help: ArgumentHelp("Only entries in this country, such as DE; can be repeated.", valueName: "code"),
        completion: .usedCountries, transform: { try EntryOptions.countryCode($0) })
    var country: [String] = []

    @Option(
        help: ArgumentHelp("Leave out entries in this country, such as DE; can be repeated.", valueName: "code"),
        completion: .usedCountries, transform: { try EntryOptions.countryCode($0) })
    var notCountry: [String] = []

    @Option(
        help: ArgumentHelp("Only entries of this network, such as AS3320; can be repeated.", valueName: "asn"),
        transform: { try EntryOptions.networkNumber($0) })
    var asn: [Int64] = []

    @Option(
        help: ArgumentHelp(
            "Only entries with this flag: \(EntryOptions.flags.joined(separator: ", ")); if repeated, any of them.",
            valueName: "flag"), completion: .list(EntryOptions.flags))
    var flag: [String] = []

    @Flag(help: "Only pinned entries.")
    var pinned = false

    static let states = EntryState.allCases.map(\.rawValue)
    static let flags = EntryFilter.Flag.allCases.map(\.rawValue)
    static let repeatable: Set<String> = [
        "--state", "--tag", "--not-tag", "--country", "--not-country", "--asn", "--flag",
    ]

    func validate() throws {
        try Choice.check("state", state, in: Self.states)
        try Choice.check("flag", flag, in: Self.flags)
        for tag in tag + notTag { try TagText.check(tag) }
    }

    /// The conditions; a filter without conditions if there are none.
    var filter: Interface.Filter {
        var filter = Interface.Filter()
        // The daemon treats an empty search as no condition.
        filter.search = search?.isEmpty == true ? nil : search
        filter.states = state.isEmpty ? nil : state
        filter.tags = tag.isEmpty ? nil : tag
        filter.notTags = notTag.isEmpty ? nil : notTag
        filter.pinned = pinned ? true : nil
        filter.countryCodes = country.isEmpty ? nil : country
        filter.notCountryCodes = notCountry.isEmpty ? nil : notCountry
        filter.asns = asn.isEmpty ? nil : asn
        filter.flags = flag.isEmpty ? nil : flag
        return filter
    }

    /// - Parameter text: two letters (ISO 3166-1 alpha-2), in either case.
    private static func countryCode(_ text: String) throws -> String {
        guard text.utf8.count == 2, text.allSatisfy({ $0.isASCII && $0.isLetter }) else {
            throw ValidationError("expected a two-letter country code, such as DE")
        }
        return text.uppercased()
    }

    /// - Parameter text: a number with or without the letters AS, in either case (RFC 5396).
    private static func networkNumber(_ text: String) throws -> Int64 {
        let digits = text.lowercased().hasPrefix("as") ? text.dropFirst(2) : text[...]
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = UInt32(digits) else {
            throw ValidationError("expected an AS number, such as AS3320 or 3320")
        }
        return Int64(number)
    }
}
