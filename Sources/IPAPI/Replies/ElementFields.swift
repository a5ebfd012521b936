import FoundationEssentials
import RecordKeeping

/// The fields of one element, read with no more tolerance than this provider's replies require.
///
/// A missing, null or blank field is nil. A field that contradicts the documentation makes the whole element malformed,
/// so that there are no partial records. Strings that are too long are truncated instead, since the beginning of a name
/// is still useful.
struct ElementFields {
    private let container: KeyedDecodingContainer<FieldName>

    init(_ container: KeyedDecodingContainer<FieldName>) {
        self.container = container
    }

    /// Maximum length of a stored string in bytes. A reverse name, the longest such string, is at most 253 bytes long
    /// (RFC 1035 §2.3.4).
    static let maxTextBytes = 256

    /// Maximum magnitude of `offset` in seconds. Time zones range from UTC-12 to UTC+14; a day is far beyond both.
    static let maxOffset = 86_400

    var echo: Element.Echo {
        guard isPresent(.query) else { return .absent }
        // `.unreadable` stands for all errors.
        guard let text = try? container.decode(String.self, forKey: .query) else { return .unreadable }
        return text.utf8.count <= Self.maxTextBytes ? .text(text) : .unreadable
    }

    func record() throws(FieldProblem) -> Record {
        var place = Place()
        place.continent = try text(.continent)
        place.continentCode = try text(.continentCode)
        place.country = try text(.country)
        place.countryCode = try text(.countryCode)
        place.region = try text(.region)
        place.regionName = try text(.regionName)
        place.city = try text(.city)
        place.district = try text(.district)
        place.zip = try text(.zip)
        place.timezone = try text(.timezone)
        place.offset = try seconds(.offset)
        place.currency = try text(.currency)
        var network = Network()
        network.isp = try text(.isp)
        network.org = try text(.org)
        network.as = try text(.as)
        network.asname = try text(.asname)
        var record = Record(place: place, network: network)
        record.lat = try degrees(.lat, within: 90)
        record.lon = try degrees(.lon, within: 180)
        record.reverse = try text(.reverse)
        record.mobile = try flag(.mobile)
        record.proxy = try flag(.proxy)
        record.hosting = try flag(.hosting)
        return record
    }

    /// Returns the field as a bounded string; nil if it is missing, null or blank. Throws if it is not a string.
    func text(_ field: FieldName) throws(FieldProblem) -> String? {
        guard isPresent(field) else { return nil }
        guard let text = try? container.decode(String.self, forKey: field) else {
            throw FieldProblem(field, "is not a string")
        }
        return Self.cleaned(text)
    }

    /// Returns the text as it is stored; nil if it is blank.
    static func cleaned(_ text: String) -> String? {
        // If the first byte is visible ASCII, the text is not blank, and the rest need not be examined.
        guard text.utf8.first.map({ (0x21...0x7E).contains($0) }) ?? false || !text.allSatisfy(\.isWhitespace) else {
            return nil
        }
        return UntrustedText(text).bounded(to: Self.maxTextBytes)
    }

    private func flag(_ field: FieldName) throws(FieldProblem) -> Bool? {
        guard isPresent(field) else { return nil }
        guard let flag = try? container.decode(Bool.self, forKey: field) else {
            throw FieldProblem(field, "is not a Boolean")
        }
        return flag
    }

    private func degrees(_ field: FieldName, within bound: Double) throws(FieldProblem) -> Double? {
        guard let number = try number(field) else { return nil }
        guard number.magnitude <= bound else {
            throw FieldProblem(field, "is \(number), outside the range from -\(bound) to \(bound)")
        }
        // Minus zero becomes zero, so that the sign does not count as a change.
        return number == 0 ? 0 : number
    }

    private func seconds(_ field: FieldName) throws(FieldProblem) -> Int? {
        guard let number = try number(field) else { return nil }
        guard let seconds = Int(exactly: number), seconds.magnitude <= Self.maxOffset else {
            throw FieldProblem(field, "is \(number), not a whole number of seconds within a day")
        }
        return seconds
    }

    /// Returns the value of a number, or of a string with a plain decimal number: no exponent, comma, plus sign or
    /// white space.
    private func number(_ field: FieldName) throws(FieldProblem) -> Double? {
        guard isPresent(field) else { return nil }
        if let number = try? container.decode(Double.self, forKey: field), number.isFinite { return number }
        guard let text = try? container.decode(String.self, forKey: field) else {
            throw FieldProblem(field, "is not a number")
        }
        guard !text.allSatisfy(\.isWhitespace) else { return nil }
        guard text.utf8.count <= 32, text.utf8.allSatisfy(Self.isDecimal), let number = Double(text), number.isFinite
        else {
            throw FieldProblem(field, "is \"\(UntrustedText(text).bounded(to: 32))\", not a number")
        }
        return number
    }

    private static func isDecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    /// Whether the field is present and not null.
    private func isPresent(_ field: FieldName) -> Bool {
        // decodeNil throws only for a missing key.
        (try? container.decodeNil(forKey: field)) == false
    }
}
