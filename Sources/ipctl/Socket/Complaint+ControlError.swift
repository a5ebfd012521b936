import Control
import RecordKeeping
import Varlink

extension Complaint {
    /// What the daemon refused, and what to do about it.
    ///
    /// - Parameter path: of the daemon's socket.
    init(_ error: ControlError, from path: String) {
        switch error {
        case .invalidAddress(let address, let reason):
            let shown = address.printable.cut(to: Self.longestQuoteColumns)
            self.init(status: .badData, message: "\"\(shown)\" is no IP address: \(reason.printable)")
        case .notWatched(let address):
            self.init(
                status: .notAsAsked, message: "\(address.printable) is not on the watch list",
                advice: "Put it there with: ipctl add \(address.printable)")
        case .invalidSearch(let message):
            self.init(status: .usage, message: "the search makes no sense: \(message.printable)")
        case .invalidCursor:
            self.init(
                status: .badData, message: "the cursor is of another database: no event with that number was ever kept",
                advice: "Begin anew, with --after 0 for all that is kept or without a cursor.")
        case .eventsGone(let oldest):
            self.init(
                status: .badData,
                message: "the events after the cursor are not all kept any more; the oldest is \(oldest)",
                advice: "Go on with what there is: --after \(max(0, oldest - 1))")
        case .tooMany(let limit):
            self.init(
                status: .tryLater,
                message: "that is more than the daemon takes: the limit is \(Times.grouped(Int(limit)))",
                advice: "Ask for fewer at once, or wait until some of what was looked up has gone.")
        case .reloadFailed(let message):
            self.init(status: .badData, message: "not all could be read again: \(message.printableLines)")
        case .storeFailed(let message):
            self.init(
                status: .tryLater,
                message: "the daemon could not write it to disk, so nothing has changed: \(message.printable)",
                advice: "Is the disk full? ipctl status tells the store's path.")
        case .service(.permissionDenied):
            self.init(
                status: .notPermitted, message: "changing the watch list is for root and the administrators' group",
                advice:
                    "Use sudo, or join the group (iprecord by default): sudo usermod -aG iprecord $USER, and log in anew."
            )
        case .service(.invalidParameter(let name)):
            self.init(
                status: .usage, message: "the daemon does not take this for \"\(name)\"", advice: Self.advice(for: name)
            )
        case .service(.methodNotImplemented(let method)), .service(.methodNotFound(let method)):
            self.init(status: .software, message: "the daemon at \(path) is of another version: it has no \(method)")
        case .service, .unknown:
            self.init(status: .software, message: "the daemon at \(path) answers \(error.name)")
        }
        refusal = error
    }

    /// This for a command that would have changed something.
    var whereNothingHasChanged: Complaint {
        guard case .notWatched = refusal else { return self }
        var complaint = self
        complaint.advice = "Nothing has changed. \(advice)"
        return complaint
    }

    /// This for a command that gives labels to addresses: the limit that is that of the tags is one of theirs.
    var ofLabels: Complaint {
        guard case .tooMany(Int64(Limits.tagsPerEntry)) = refusal else { return self }
        var complaint = Complaint(
            status: .badData, message: TagText.countRule,
            advice: "Nothing has changed. What one has: ipctl show ADDRESS --field tags")
        complaint.refusal = refusal
        return complaint
    }

    /// This for a command that takes something off an address.
    var whereAddingIsNoHelp: Complaint {
        guard case .notWatched = refusal else { return self }
        var complaint = self
        complaint.advice = "Nothing has changed. What is on it: ipctl list"
        return complaint
    }

    /// Longer than any address, and still no more than a line of a terminal.
    private static let longestQuoteColumns = 60

    private static func advice(for parameter: String) -> String {
        switch parameter {
        case "tags", "addTags", "removeTags":
            "For \(TagText.rule)."
        case "note":
            "For \(TagText.noteRule)."
        case "kinds":
            "The kinds are \(Notice.Kind.allCases.map(\.rawValue).joined(separator: ", "))."
        default: ""
        }
    }
}
