extension Record {
    /// The fields of a record by their names on the wire, in the order of the control interface.
    ///
    /// This is the only list of fields: JSON, the database's columns, searches and the output of `ipctl` derive from it
    /// and from ``storage``.
    package enum Field: String, CaseIterable, Sendable {
        case continent, continentCode, country, countryCode, region, regionName, city, district, zip, lat, lon
        case timezone, offset, currency, isp, org, `as`, asn, asname, reverse, mobile, proxy, hosting
    }

    /// The value of a field.
    package enum Value: Hashable, Sendable {
        case text(String)
        case number(Int)
        case degrees(Double)
        case flag(Bool)
    }

    /// The value of a field; nil if the provider omitted the field.
    package subscript(field: Field) -> Value? {
        switch field.storage {
        case .place(let path): place.value[keyPath: path].map { .text($0) }
        case .offset: place.value.offset.map { .number($0) }
        case .network(let path): network.value[keyPath: path].map { .text($0) }
        case .asn: asn.map { .number($0) }
        case .degrees(let path): self[keyPath: path].map { .degrees($0) }
        case .own(let path): self[keyPath: path].map { .text($0) }
        case .flag(let path): self[keyPath: path].map { .flag($0) }
        }
    }

    /// Returns one field as text, as in `History` and in `changed` events; nil if the provider omitted the field.
    package func text(of field: Field) -> String? {
        self[field].map { "\($0)" }
    }
}

extension Record.Value: CustomStringConvertible {
    package var description: String {
        switch self {
        case .text(let text): text
        case .number(let number): "\(number)"
        case .degrees(let degrees): "\(degrees)"
        case .flag(let flag): "\(flag)"
        }
    }
}

extension Record.Field {
    /// The part of a record that stores a field, and the type of the field's value.
    package enum Storage: Sendable {
        /// A string of the record's place.
        case place(any WritableKeyPath<Place, String?> & Sendable)
        /// `Place.offset`, the only number in a place.
        case offset
        /// A string of the record's network.
        case network(any WritableKeyPath<Network, String?> & Sendable)
        /// `Network.asn`, which is not stored, but derived from `as`.
        case asn
        /// A coordinate.
        case degrees(any WritableKeyPath<Record, Double?> & Sendable)
        /// A string of `Record.texts`.
        case own(any WritableKeyPath<Record, String?> & Sendable)
        case flag(any WritableKeyPath<Record, Bool?> & Sendable)
    }

    /// The interned part of a record that determines the value of a field.
    enum InternedPart { case place, network }

    /// The interned part that determines the value; nil if each record has its own value.
    var internedPart: InternedPart? {
        switch storage {
        case .place, .offset: .place
        case .network, .asn: .network
        case .degrees, .own, .flag: nil
        }
    }

    package var storage: Storage {
        switch self {
        case .continent: .place(\.continent)
        case .continentCode: .place(\.continentCode)
        case .country: .place(\.country)
        case .countryCode: .place(\.countryCode)
        case .region: .place(\.region)
        case .regionName: .place(\.regionName)
        case .city: .place(\.city)
        case .district: .place(\.district)
        case .zip: .own(\.zip)
        case .lat: .degrees(\.lat)
        case .lon: .degrees(\.lon)
        case .timezone: .place(\.timezone)
        case .offset: .offset
        case .currency: .place(\.currency)
        case .isp: .network(\.isp)
        case .org: .network(\.org)
        case .as: .network(\.as)
        case .asn: .asn
        case .asname: .network(\.asname)
        case .reverse: .own(\.reverse)
        case .mobile: .flag(\.mobile)
        case .proxy: .flag(\.proxy)
        case .hosting: .flag(\.hosting)
        }
    }

    /// Returns a function that reads this field, for code that reads many records. Most fields are strings, and reading
    /// a string through its key path takes ten times as long.
    package var reader: @Sendable (Record) -> Record.Value? {
        switch storage {
        case .place(let path):
            let offset = byteOffset(of: path)
            return { string(in: $0.place.value, at: offset).map { .text($0) } }
        case .network(let path):
            let offset = byteOffset(of: path)
            return { string(in: $0.network.value, at: offset).map { .text($0) } }
        default: return { $0[self] }
        }
    }

    /// The fields of a `Place`.
    package static let ofPlace = allCases.filter {
        switch $0.storage {
        case .place, .offset: true
        default: false
        }
    }

    /// The fields of a `Network`, including `asn`.
    package static let ofNetwork = allCases.filter {
        switch $0.storage {
        case .network, .asn: true
        default: false
        }
    }
}

extension Place {
    private static let textOffsets = Record.Field.ofPlace.compactMap { field in
        if case .place(let path) = field.storage { byteOffset(of: path) } else { nil }
    }

    /// The string fields.
    var texts: [String?] { Self.textOffsets.map { string(in: self, at: $0) } }
}

extension Network {
    private static let textOffsets = Record.Field.ofNetwork.compactMap { field in
        if case .network(let path) = field.storage { byteOffset(of: path) } else { nil }
    }

    /// The string fields.
    var texts: [String?] { Self.textOffsets.map { string(in: self, at: $0) } }
}

/// Returns the offset of a stored property, in bytes.
private func byteOffset<Whole>(of path: any KeyPath<Whole, String?> & Sendable) -> Int {
    guard let offset = MemoryLayout<Whole>.offset(of: path) else { preconditionFailure("\(path) is not stored") }
    return offset
}

/// Returns the value of the stored property at this offset.
private func string<Whole>(in whole: Whole, at offset: Int) -> String? {
    withUnsafePointer(to: whole) { UnsafeRawPointer($0).load(fromByteOffset: offset, as: String?.self) }
}
