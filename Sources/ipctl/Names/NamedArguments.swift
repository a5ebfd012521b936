import Control
import RecordKeeping

/// The arguments of a command that changes or reads watched host names as well as addresses.
struct NamedArguments {
    /// The host names without duplicates, each at its first position.
    let names: [HostName]
    /// The arguments that are not host names: addresses, blocks and ranges of addresses, and invalid texts.
    let others: [String]

    init(_ arguments: [String]) {
        var (seen, names, others) = (Set<HostName>(), [HostName](), [String]())
        for text in arguments {
            if case .name(let name)? = try? AddressArgument(text, mayBeName: true) {
                if seen.insert(name).inserted { names.append(name) }
            } else {
                others.append(text)
            }
        }
        (self.names, self.others) = (names, others)
    }

    /// Returns the addresses of the other arguments and of files; nil if there are only names.
    ///
    /// - Throws: an error that names the invalid arguments.
    func addresses(files: [String]) throws(CommandError) -> AddressList? {
        guard !others.isEmpty || !files.isEmpty else { return nil }
        // An invalid argument may be a host name, so the error describes both forms.
        return try AddressList(arguments: others, files: files) { _ in [:] }
    }

    /// The names in parts, each of which fits in one call.
    var parts: [[String]] { names.map(\.description).parts(of: Limits.namesPerRequest) }
}
