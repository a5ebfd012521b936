import RecordKeeping

/// An argument of a command that takes addresses and host names.
enum AddressArgument: Hashable {
    case addresses(AddressSpan)
    case name(HostName)

    /// - Parameter mayBeName: whether the argument can be a host name. A text that is both a name and an invalid range
    ///   of addresses, such as `192.0.2.1-static.example`, is a name.
    init(_ text: String, mayBeName: Bool) throws(AddressSpan.Refusal) {
        do {
            self = .addresses(try AddressSpan(text))
        } catch {
            guard mayBeName else { throw error }
            do {
                self = .name(try HostName(text))
            } catch let nameError {
                guard Self.looksLikeName(text) else { throw error }
                throw AddressSpan.Refusal(description: "is not an IP address or a host name: \(nameError)")
            }
        }
    }

    /// Whether an invalid argument was meant as a host name rather than an address.
    private static func looksLikeName(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0.properties.isAlphabetic } && !text.utf8.contains { separators.contains($0) }
    }

    /// Characters of addresses, URLs and lists that do not appear in names.
    private static let separators = Array(":/%,[] \t".utf8)
}
