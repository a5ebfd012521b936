import Control
import RecordKeeping
import Varlink

extension CommandError {
    /// The error for the user when the daemon returns an error.
    ///
    /// - Parameter path: the path of the daemon's socket.
    init(_ error: ControlError, from path: String) {
        switch error {
        case .invalidAddress(let address, let reason):
            self.init(argument: address, "is not an IP address: \(reason)")
        case .notWatched(let address):
            self.init(
                status: .negative, message: "\(address.printable) is not on the watch list",
                advice: "Add it with: ipctl add \(address.printable)")
        case .invalidName(let name, let reason):
            self.init(argument: name, "is not a host name: \(reason)")
        case .nameNotWatched(let name):
            self.init(
                status: .negative, message: "the host name \(name.printable) is not watched",
                advice: "Add it with: ipctl add \(name.printable)")
        case .invalidSearch(let message):
            self.init(status: .usage, message: "invalid search: \(message.printable)")
        case .invalidCursor:
            self.init(
                status: .badData, message: "the cursor belongs to another database: no event with that number exists",
                advice: "Use --after 0 to print all kept events, or omit the cursor to start with the next event.")
        case .eventsGone(let oldest):
            self.init(
                status: .badData,
                message: "some events after the cursor were deleted; the oldest kept event is \(oldest)",
                advice: "To continue from there: --after \(max(1, oldest) - 1)")
        case .tooMany(let limit, let resource):
            self.init(exceeding: Times.grouped(Int(limit)), of: resource.flatMap { LimitedResource(rawValue: $0) })
        case .reloadFailed(let message):
            self.init(status: .badData, message: message.printableLines)
        case .storeFailed(let message):
            self.init(
                status: .tryLater,
                message: "the database could not be written, so nothing was changed: \(message.printable)",
                advice: "The disk may be full; ipctl status shows the path of the database.")
        case .service(.permissionDenied):
            self.init(
                status: .notPermitted,
                message: "only root and members of the administrators' group can change the watch list",
                advice: "Use sudo, or join the group (iprecord by default): sudo usermod -aG iprecord $USER, and log "
                    + "in again.")
        case .service(.invalidParameter(let name)):
            self.init(
                status: .usage, message: "the daemon rejected the value of \"\(name.printable)\"",
                advice: Self.advice(for: name)
            )
        case .service(.methodNotImplemented(let method)), .service(.methodNotFound(let method)):
            self.init(
                status: .software,
                message: "the daemon at \(path) is a different version: it does not support \(method.printable)"
            )
        case .service, .unknown:
            self.init(status: .software, message: "the daemon at \(path) returned the error \(error.name.printable)")
        }
        controlError = error
    }

    /// The error for an argument that is not an address.
    ///
    /// - Parameter reason: the rest of a sentence that begins with the argument.
    init(argument: String, _ reason: String) {
        let shown = argument.printable.cut(to: Self.maxQuoteColumns)
        self.init(status: .badData, message: "\"\(shown)\" \(reason.printable)")
    }

    /// The error for a command that changes something, with a note that nothing was changed.
    var withUnchangedNote: CommandError {
        switch controlError {
        case .notWatched, .nameNotWatched: return advising("Nothing was changed. \(advice)")
        default: return self
        }
    }

    /// The error for a command that adds labels. A limit equal to the maximum number of tags is reported as the tag
    /// limit.
    var explainingTagLimit: CommandError {
        guard case .tooMany(Int64(Limits.tagsPerEntry), _) = controlError else { return self }
        var commandError = CommandError(
            status: .badData, message: TagText.countRule,
            advice: "Nothing was changed. To see the tags of an address: ipctl show ADDRESS --field tags")
        commandError.controlError = controlError
        return commandError
    }

    /// The error for a command that removes something, without advice to add the address.
    var withoutAddHint: CommandError {
        switch controlError {
        case .notWatched, .nameNotWatched: return advising("Nothing was changed. To see the watch list: ipctl list")
        default: return self
        }
    }

    /// The maximum width of quoted input: more than any address needs, and at most a line of a terminal.
    private static let maxQuoteColumns = 60

    private static func advice(for parameter: String) -> String {
        switch parameter {
        case "tags", "addTags", "removeTags":
            "Rule: \(TagText.rule)."
        case "note":
            "Rule: \(TagText.noteRule)."
        case "until":
            "Expected a time in the future and before the year 2200."
        case "kinds":
            "Expected one of: \(PublishedEvent.Kind.allCases.map(\.rawValue).joined(separator: ", "))."
        default: ""
        }
    }
}

extension DaemonConnection {
    /// Returns the error in a reply; nil for a successful reply.
    func commandError(of reply: ClientConversation.IncomingReply) -> CommandError? {
        guard let name = reply.error else { return nil }
        return CommandError(ControlError(name: name, parameters: reply.parameters), from: path)
    }
}
