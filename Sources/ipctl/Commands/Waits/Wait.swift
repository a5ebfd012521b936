import ArgumentParser
import Control
import RecordKeeping

/// `ipctl wait`
struct Wait: Command, TakesAddresses {
    static let configuration = CommandConfiguration(
        commandName: "wait", abstract: "Wait until something is so, for scripts.",
        discussion: """
              fresh    until each of the addresses has a fresh record
              changed  until the record of each has changed from now on
              online   until there is a way to the provider

            It waits for the daemon's events and costs nothing meanwhile. Addresses have to be on the watch list: what is \
            only looked up is not kept fresh. To miss no change from one run to the next: ipctl monitor --cursor-file.

            Exit status: 75 where the time of --timeout is over; 1 where it cannot become so, because an address is not on \
            the watch list, or the provider has no record of it.

            Examples:
              ipctl wait online --timeout 5m && ipctl refresh
              ipctl add 192.0.2.1 && ipctl wait fresh 192.0.2.1 --timeout 30s
              ipctl wait changed 192.0.2.1 --timeout 1h || echo "nothing new for an hour"
            """)

    enum Kind: String, CaseIterable, ExpressibleByArgument {
        case fresh, changed, online
    }

    @ParentCommand var parent: Ipctl
    @OptionGroup var options: GlobalOptions

    @Argument(help: "What to wait for.")
    var kind: Kind

    @Argument(help: "IPv4 or IPv6 addresses of the watch list; none for online.", completion: .watchedAddresses)
    var addresses: [String] = []

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Wait at most so long: 500ms, 90s, 24h.", valueName: "span"),
        transform: { try TimeSpan(option: $0) })
    var timeout: TimeSpan?

    func validate() throws {
        switch kind {
        case .online where !addresses.isEmpty:
            throw ValidationError("wait online takes no addresses: it is about the way to the provider")
        case .fresh where addresses.isEmpty, .changed where addresses.isEmpty:
            throw ValidationError("give the addresses to wait for: ipctl wait \(kind.rawValue) ADDRESS…")
        default: break
        }
    }

    func run(on connection: Connection, _ output: Output) throws(Complaint) -> ExitStatus {
        let deadline = timeout.map { Deadline(in: $0) }
        let canonical = try addresses.canonical()
        var condition: any WaitCondition =
            switch kind {
            case .fresh: FreshCondition(addresses: canonical)
            case .changed: ChangedCondition(addresses: canonical)
            case .online: OnlineCondition()
            }
        do throws(Complaint) {
            let events = try EventStream(of: condition, on: connection, until: deadline)
            // What happened before the stream began is seen by looking, and what happens after is heard: nothing is missed.
            let onlooker = try connection.another()
            onlooker.deadline = deadline?.withTimeToAnswer
            try condition.wait(for: events, looking: onlooker, output)
        } catch  where error.isTimeout {
            throw Complaint(status: .tryLater, message: "after \(timeout?.text ?? "") \(condition.lacking)")
        }
        return .done
    }
}

extension [String] {
    /// Each address once, in the spelling in which the daemon tells of it.
    fileprivate func canonical() throws(Complaint) -> [String] {
        var (addresses, seen) = ([String](), Set<String>())
        for text in self {
            do {
                let address = try IPAddress(text).description
                if seen.insert(address).inserted { addresses.append(address) }
            } catch {
                throw Complaint(ControlError.invalidAddress(text, reason: error.description), from: "")
            }
        }
        return addresses
    }
}
