import Control
import RecordKeeping

/// The validated addresses from a command line and from files.
struct AddressList {
    /// The addresses in the order given; addresses from the command line have no labels.
    let listed: [ListedAddress]

    /// The addresses of each host name among the arguments.
    typealias Resolve = (Set<HostName>) throws(CommandError) -> [HostName: [IPAddress]]

    /// - Parameter resolve: returns the addresses of host names, each of which takes the place of its name; nil if the
    ///   arguments cannot be host names. It is called only if all arguments and files are valid.
    /// - Throws: an error that names the invalid addresses, or if there are no addresses.
    init(arguments: [String], files: [String], resolve: Resolve? = nil) throws(CommandError) {
        var listed: [ListedAddress] = []
        listed.reserveCapacity(arguments.count)
        var names: [(name: HostName, position: Int)] = []
        var errors = AddressErrors()
        for text in arguments {
            do {
                switch try AddressArgument(text, mayBeName: resolve != nil) {
                case .addresses(let span): listed += span.addresses.map { ListedAddress(address: $0) }
                case .name(let name): names.append((name, listed.count))
                }
            } catch {
                errors.add(argument: CommandError(argument: text, error.description))
            }
        }
        for path in files { listed += AddressFile(path, adding: &errors).listed }
        guard errors.isEmpty else { throw errors.combined }
        if let resolve, !names.isEmpty {
            let addresses = try resolve(Set(names.map(\.name)))
            // From the end, so that the positions stay valid.
            for (name, position) in names.reversed() {
                listed.insert(
                    contentsOf: (addresses[name] ?? []).map { ListedAddress(address: $0) }, at: position)
            }
        }
        guard !listed.isEmpty else {
            let names = files.map { $0 == "-" ? "standard input" : $0 }.joined(separator: ", ")
            throw CommandError(status: .badData, message: "no addresses in \(names)")
        }
        self.listed = listed
    }

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
    ///   - until: the time at which the watches end, in Unix milliseconds; nil if they do not end by themselves.
    func labelled(tags: [String], note: String?, until: Int64?) throws(CommandError) -> [ListedEntry] {
        var (entries, indices) = ([ListedEntry](), [IPAddress: Int](minimumCapacity: listed.count))
        for line in listed {
            let index = indices[line.address] ?? entries.count
            indices[line.address] = index
            if index == entries.count {
                entries.append(ListedEntry(address: line.address.description, tags: tags, watchedUntil: until))
            }
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
