/// Messages on standard error about lines and addresses, each printed once.
struct EnrichNotes {
    private var messages: Set<String> = []
    private var hasLongLines = false

    /// Whether a lookup or a watch was refused.
    var hasProblems: Bool { !messages.isEmpty }

    mutating func noteProblem(_ error: CommandError) {
        guard messages.insert(error.message).inserted else { return }
        Output.printMessage("\(error.message); lines are passed on")
    }

    mutating func noteLongLines() {
        guard !hasLongLines else { return }
        hasLongLines = true
        let limit = Times.grouped(RawLines.maxLineBytes)
        Output.printMessage("a line exceeds the limit of \(limit) bytes; such lines are passed on unchanged")
    }

    /// Returns the error for lines that were written, and addresses that were not watched, while the daemon was away;
    /// nil if there are none.
    ///
    /// - Parameter loss: the error with which the last connection was lost.
    func error(unansweredLines: Int, unwatched: Int, _ loss: CommandError?) -> CommandError? {
        let problems = [
            unansweredLines == 0
                ? nil : "\(Times.count(unansweredLines, "line")) passed on without the daemon's answers",
            unwatched == 0 ? nil : "\(Times.count(unwatched, "address")) not added to the watch list",
        ].compactMap { $0 }
        guard !problems.isEmpty else { return nil }
        return CommandError(status: loss?.status ?? .tryLater, message: problems.joined(separator: "; "))
    }
}
