import Control
import RecordKeeping

/// The validated addresses from a command line and from files.
struct AddressList {
    /// The addresses in the order given; addresses from the command line have no labels.
    let listed: [ListedAddress]

    /// - Throws: if an address is invalid, or if there are no addresses.
    init(arguments: [String], files: [String]) throws(CommandError) {
        var listed: [ListedAddress] = []
        listed.reserveCapacity(arguments.count)
        var errors: [CommandError] = []
        for text in arguments {
            do {
                listed.append(ListedAddress(address: try IPAddress(text)))
            } catch {
                errors.append(CommandError(ControlError.invalidAddress(text, reason: error.description), from: ""))
            }
        }
        guard errors.isEmpty else { throw Self.commandError(errors) }
        for file in files { listed += try AddressFile(file).listed }
        guard !listed.isEmpty else {
            let names = files.map { $0 == "-" ? "standard input" : $0 }.joined(separator: ", ")
            throw CommandError(status: .badData, message: "no addresses in \(names)")
        }
        self.listed = listed
    }

    /// Combines the errors of several arguments into one, with one line each.
    private static func commandError(_ errors: [CommandError]) -> CommandError {
        var lines = errors.prefix(maxErrors).map(\.message)
        let more = errors.count - lines.count
        if more == 1 { lines.append("1 more argument is not an IP address") }
        if more > 1 { lines.append("\(Times.grouped(more)) more arguments are not IP addresses") }
        return CommandError(status: .badData, message: lines.joined(separator: "\n"))
    }

    /// The number of invalid arguments that are named.
    private static let maxErrors = 10

    /// The addresses in their canonical form.
    var addresses: [String] { listed.map(\.address.description) }

    /// The addresses without duplicates, each at its first position.
    var uniqueAddresses: [String] {
        var seen = Set<IPAddress>(minimumCapacity: listed.count)
        return listed.filter { seen.insert($0.address).inserted }.map(\.address.description)
    }

    /// Whether a line of a file has tags or a note.
    var hasLabels: Bool { listed.contains { !$0.tags.isEmpty || $0.note != nil } }

    /// Returns each address once, at its first position, with the tags of all its lines and its last note.
    ///
    /// - Parameters:
    ///   - tags: the tags that all addresses get.
    ///   - note: the note of addresses whose lines have none.
    func labelled(tags: [String], note: String?) throws(CommandError) -> [ListedEntry] {
        var (entries, indices) = ([ListedEntry](), [IPAddress: Int](minimumCapacity: listed.count))
        for line in listed {
            let index = indices[line.address] ?? entries.count
            indices[line.address] = index
            if index == entries.count { entries.append(ListedEntry(address: line.address.description, tags: tags)) }
            entries[index].tags += line.tags
            entries[index].note = line.note ?? entries[index].note
        }
        for index in entries.indices {
            entries[index].tags = Set(entries[index].tags).sorted()
            entries[index].note = entries[index].note ?? note
            guard entries[index].tags.count <= Limits.tagsPerEntry else {
                let count = Times.grouped(entries[index].tags.count)
                throw CommandError(
                    status: .badData, message: "\(TagText.countRule); \(entries[index].address) would have \(count)")
            }
        }
        return entries
    }
}
