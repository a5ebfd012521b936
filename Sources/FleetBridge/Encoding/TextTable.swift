import RecordKeeping

/// The texts of a body in the order of their first use, after those that every body knows.
///
/// Texts are compared byte for byte: canonically equivalent strings are equal in Swift.
struct TextTable {
    /// The texts that the body contains, as UTF-8.
    private(set) var added: [[UInt8]] = []
    private var indices: [[UInt8]: Int] = [:]

    /// Returns the index of a text, which is added if it is new.
    mutating func index(of text: String) -> Int {
        let bytes = Array(text.utf8)
        if let index = Self.knownIndices[bytes] ?? indices[bytes] { return index }
        let index = Self.known.count + added.count
        added.append(bytes)
        indices[bytes] = index
        return index
    }

    /// The texts that no body contains, because most would. They are part of the encoding: a change to this list
    /// requires a new version.
    static let known = [
        "ip-api.com", "http://ip-api.com", "pro.ip-api.com", "https://pro.ip-api.com",
        "continent", "continentCode", "country", "countryCode", "region", "regionName", "city", "district", "zip",
        "lat", "lon", "timezone", "offset", "currency", "isp", "org", "as", "asn", "asname", "reverse", "mobile",
        "proxy", "hosting", "true", "false",
        "Africa", "AF", "Antarctica", "AN", "Asia", "AS", "Europe", "EU", "North America", "NA", "Oceania", "OC",
        "South America", "SA",
    ]
    private static let knownIndices = Dictionary(
        uniqueKeysWithValues: known.enumerated().map { (Array($1.utf8), $0) })
}
