package import RecordKeeping

extension Record.Field: CodingKey {}

/// A record in JSON: one member for each field that the provider reported.
extension Record: Codable {
    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Field.self)
        func text(_ field: Field) throws -> String? { try members.decodeIfPresent(String.self, forKey: field) }
        var (place, network, own) = (Place(), Network(), Record())
        for field in Field.allCases {
            switch field.storage {
            case .place(let path): place[keyPath: path] = try text(field)
            case .offset: place.offset = try members.decodeIfPresent(Int.self, forKey: field)
            case .network(let path): network[keyPath: path] = try text(field)
            // The number follows from `as`; only its type is checked.
            case .asn: _ = try members.decodeIfPresent(Int.self, forKey: field)
            case .degrees(let path): own[keyPath: path] = try members.decodeIfPresent(Double.self, forKey: field)
            case .own(let path):
                let text = try text(field)
                guard text.map({ $0.utf8.count <= OwnTexts.maxZipBytes }) ?? true else {
                    throw DecodingError.dataCorruptedError(
                        forKey: field, in: members, debugDescription: "the string is too long")
                }
                own[keyPath: path] = text
            case .flag(let path): own[keyPath: path] = try members.decodeIfPresent(Bool.self, forKey: field)
            }
        }
        own.place = Interned(place)
        own.network = Interned(network)
        self = own
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Field.self)
        for field in Field.allCases {
            switch self[field] {
            case .text(let text): try members.encode(text, forKey: field)
            case .number(let number): try members.encode(number, forKey: field)
            case .degrees(let degrees): try members.encode(degrees, forKey: field)
            case .flag(let flag): try members.encode(flag, forKey: field)
            case nil: continue
            }
        }
    }
}
