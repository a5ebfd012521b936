/// An entry in packed form, of about a hundred bytes, without its postal code and reverse name (`OwnTexts`). It holds
/// no references, so reading or copying it never changes a reference count. The flags show which fields are valid.
struct PackedSlot: BitwiseCopyable, Sendable {
    let address: IPAddress
    /// The number of the `EntryID`; `Int64.min` if the entry is not stored.
    private var idNumber = Int64.min
    /// The digest of the element from which the answer was decoded; 0 if it is unknown.
    private var digestBits: UInt64 = 0
    private var changedAtMilliseconds: Int64 = 0
    /// The latitude; NaN stands for no value, as in `lon`.
    private var lat = Double.nan
    private var lon = Double.nan
    /// The deadline in nanoseconds for `due`, and the id of the call for `asked`.
    private var activityNumber: Int64 = 0
    /// The index in `CohortTable` of the cohort to which the answer belongs; 0 before the first answer.
    var cohort: UInt32 = 0
    // Intern ids; 0 stands for no value.
    private(set) var place: UInt32 = 0
    private(set) var network: UInt32 = 0
    private(set) var label: UInt32 = 0
    private var reason: UInt32 = 0
    private var flags: Flags
    /// Bits 0 and 1 hold the kind of activity, bits 2 and 3 the overrides, bits 4 to 6 the category, and bit 7 whether
    /// a watched host name resolves to the address.
    private var halves: UInt8 = 0
    var consecutiveFailures: UInt8 = 0

    private enum ActivityKind: UInt8 {
        case resting, due, asked, committing
    }

    private struct Flags: OptionSet {
        let rawValue: UInt16

        static let inUse = Flags(rawValue: 1 << 0)
        static let specialPurpose = Flags(rawValue: 1 << 1)
        static let watched = Flags(rawValue: 1 << 2)
        static let byClient = Flags(rawValue: 1 << 3)
        static let byFile = Flags(rawValue: 1 << 4)
        static let pinned = Flags(rawValue: 1 << 5)
        static let troubled = Flags(rawValue: 1 << 6)
        static let changed = Flags(rawValue: 1 << 7)
        static let answered = Flags(rawValue: 1 << 8)
        static let empty = Flags(rawValue: 1 << 9)
        // Three optional values; for each, the next higher bit shows whether the value is known.
        static let mobile = Flags(rawValue: 1 << 10)
        static let proxy = Flags(rawValue: 1 << 12)
        static let hosting = Flags(rawValue: 1 << 14)

        mutating func set(_ flag: Flags, _ isOn: Bool) {
            if isOn { insert(flag) } else { remove(flag) }
        }

        private static func known(_ flag: Flags) -> Flags { Flags(rawValue: flag.rawValue << 1) }

        /// The value of `mobile`, `proxy` or `hosting`; nil if unknown.
        subscript(flag: Flags) -> Bool? {
            get { contains(Self.known(flag)) ? contains(flag) : nil }
            set {
                set(Self.known(flag), newValue != nil)
                set(flag, newValue ?? false)
            }
        }
    }

    /// The content of a slot without an entry.
    static let unused: PackedSlot = {
        var slot = PackedSlot(address: IPAddress(high: 0, low: 0), isSpecialPurpose: false)
        slot.flags = []
        return slot
    }()

    /// Creates an entry without any data.
    init(address: IPAddress, isSpecialPurpose: Bool) {
        self.address = address
        flags = isSpecialPurpose ? [.inUse, .specialPurpose] : .inUse
        category = .unknown
    }

    var isInUse: Bool { flags.contains(.inUse) }
    var isSpecialPurpose: Bool { flags.contains(.specialPurpose) }
    var isWatched: Bool { flags.contains(.watched) }
    var isPinned: Bool { flags.contains(.pinned) }
    var isByClient: Bool { flags.contains(.byClient) }
    var isByFile: Bool { flags.contains(.byFile) }
    private(set) var isByName: Bool {
        get { halves & 0x80 != 0 }
        set { halves = halves & 0x7F | (newValue ? 0x80 : 0) }
    }
    /// The first source of a watched address.
    var origin: WatchOrigin { WatchOrigin(byClient: isByClient, byFile: isByFile, byName: isByName) }
    /// The latitude in degrees; nil if it is unknown.
    var latitude: Double? { lat.isNaN ? nil : lat }
    /// The longitude in degrees; nil if it is unknown.
    var longitude: Double? { lon.isNaN ? nil : lon }
    /// Whether the provider has answered that it has no record.
    var isEmpty: Bool { flags.contains(.empty) }

    /// Whether `Slots` holds a failure or a retry time of the entry.
    var isTroubled: Bool {
        get { flags.contains(.troubled) }
        set { flags.set(.troubled, newValue) }
    }

    /// Whether the provider has answered, with a record or without one.
    var isAnswered: Bool { flags.contains(.answered) }

    /// The id of the entry in the store; nil if it is not stored.
    var id: EntryID? {
        get { idNumber == .min ? nil : EntryID(number: idNumber) }
        set { idNumber = newValue?.number ?? .min }
    }

    /// The digest of the element from which the answer was decoded; nil if it is unknown.
    var digest: ElementDigest? {
        get { digestBits == 0 || !isAnswered ? nil : ElementDigest(bits: digestBits) }
        set { digestBits = newValue?.bits ?? 0 }
    }

    var changedAt: WallTime? {
        get { flags.contains(.changed) ? WallTime(milliseconds: changedAtMilliseconds) : nil }
        set {
            flags.set(.changed, newValue != nil)
            changedAtMilliseconds = newValue?.milliseconds ?? 0
        }
    }

    var category: Tally.Category {
        get { Tally.Category(rawValue: Int(halves >> 4 & 0x07)) ?? .unknown }
        set { halves = halves & 0x8F | UInt8(newValue.rawValue) << 4 }
    }

    private var activityKind: ActivityKind {
        get { ActivityKind(rawValue: halves & 0x03) ?? .resting }
        set { halves = halves & 0xFC | newValue.rawValue }
    }

    private var overrides: Watch.Overrides {
        get { Watch.Overrides(rawValue: halves >> 2 & 0x03) }
        set { halves = halves & 0xF3 | newValue.rawValue << 2 }
    }

    var activity: Slots.Activity {
        get {
            switch activityKind {
            case .resting: .resting
            case .due: .due(since: BootTime(nanoseconds: activityNumber))
            case .asked: .asked(Call.ID(number: activityNumber))
            case .committing: .committing
            }
        }
        set {
            switch newValue {
            case .resting: (activityKind, activityNumber) = (.resting, 0)
            case .due(let since): (activityKind, activityNumber) = (.due, since.nanoseconds)
            case .asked(let id): (activityKind, activityNumber) = (.asked, id.number)
            case .committing: (activityKind, activityNumber) = (.committing, 0)
            }
        }
    }

    var isResting: Bool { activityKind == .resting }

    /// Whether the record has this flag; false if the flag is unknown.
    func hasFlag(_ flag: EntryFilter.Flag) -> Bool {
        switch flag {
        case .mobile: flags[.mobile] ?? false
        case .proxy: flags[.proxy] ?? false
        case .hosting: flags[.hosting] ?? false
        }
    }

    // MARK: The parts of an entry

    /// Returns the tags of a watched entry; empty for other entries. The other parts of the entry are not unpacked.
    func tags(_ internedValues: InternedValues) -> [String] {
        isWatched && label != 0 ? internedValues.labels[label]?.value.tags ?? [] : []
    }

    /// - Parameter end: the end of the watch, which is stored separately.
    func watch(_ internedValues: InternedValues, end: WatchEnd?) -> Watch? {
        guard isWatched else { return nil }
        return Watch(
            byClient: flags.contains(.byClient), byFile: flags.contains(.byFile), byName: isByName,
            overrides: overrides, isPinned: isPinned, end: end,
            label: label == 0 ? nil : internedValues.labels[label])
    }

    mutating func set(_ watch: Watch?, _ internedValues: inout InternedValues) {
        flags.set(.watched, watch != nil)
        flags.set(.byClient, watch?.byClient ?? false)
        flags.set(.byFile, watch?.byFile ?? false)
        isByName = watch?.byName ?? false
        overrides = watch?.overrides ?? []
        flags.set(.pinned, watch?.isPinned ?? false)
        internedValues.labels.replace(&label, by: watch?.label)
    }

    /// - Parameter texts: the entry's own texts, which are stored separately.
    func answer(_ internedValues: InternedValues, _ texts: OwnTexts) -> Answer? {
        guard isAnswered else { return nil }
        return isEmpty ? .empty(reason: internedValues.texts[reason] ?? "") : .record(record(internedValues, texts))
    }

    /// Returns the contents of an entry with a fresh record.
    ///
    /// - Parameters:
    ///   - texts: the entry's own texts.
    ///   - provider: the provider's index in `InternedValues.texts`.
    ///   - scannedAt: the time at which the call for the record was sent, as the wall time to send to clients.
    func fresh(
        _ generations: InternedValues.Generations, texts: OwnTexts, provider: UInt32, scannedAt: WallTime,
        expiresAt: WallTime?, watchedUntil: WallTime?
    ) -> FreshEntryView {
        FreshEntryView(
            address: address,
            watch: isWatched ? .init(origin: origin, isPinned: isPinned) : nil,
            ids: ids(generations, provider: provider), lat: lat, lon: lon, texts: texts, mobile: flags[.mobile],
            proxy: flags[.proxy],
            hosting: flags[.hosting],
            scannedAt: scannedAt, expiresAt: expiresAt, changedAt: changedAt, watchedUntil: watchedUntil)
    }

    func ids(_ generations: InternedValues.Generations, provider: UInt32) -> InternedIDs {
        InternedIDs(
            label: label == 0 ? nil : InternID(index: label, generation: generations.labels),
            place: InternID(index: place, generation: generations.places),
            network: InternID(index: network, generation: generations.networks),
            provider: InternID(index: provider, generation: generations.texts))
    }

    private func record(_ internedValues: InternedValues, _ texts: OwnTexts) -> Record {
        guard let place = internedValues.places[place], let network = internedValues.networks[network] else {
            preconditionFailure("the place or network of the record is not interned")
        }
        var record = Record(place: place, network: network)
        record.lat = latitude
        record.lon = longitude
        record.texts = texts
        record.mobile = flags[.mobile]
        record.proxy = flags[.proxy]
        record.hosting = flags[.hosting]
        return record
    }

    /// Stores an answer without the record's own texts.
    mutating func set(_ answer: Answer?, _ internedValues: inout InternedValues) {
        flags.set(.answered, answer != nil)
        let record = answer?.record
        flags.set(.empty, answer != nil && record == nil)
        internedValues.texts.replace(&reason, by: answer?.emptyReason)
        internedValues.places.replace(&place, by: record?.place)
        internedValues.networks.replace(&network, by: record?.network)
        lat = record?.lat ?? .nan
        lon = record?.lon ?? .nan
        flags[.mobile] = record?.mobile
        flags[.proxy] = record?.proxy
        flags[.hosting] = record?.hosting
    }
}
