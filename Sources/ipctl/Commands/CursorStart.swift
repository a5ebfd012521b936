import Control
import Varlink

/// The event after which a listener starts.
struct CursorStart {
    /// The file of `--cursor-file`; nil without that option.
    let file: CursorFile?
    let connection: DaemonConnection

    /// Checks the file before the daemon is called.
    ///
    /// - Parameter option: the option that takes precedence over the cursor in the file; nil to continue from there.
    func prepare(overriddenBy option: String?) throws(CommandError) -> CursorFile.Cursor? {
        let saved = option == nil ? try file?.read() : nil
        try file?.checkWritable()
        if let option, let file, file.exists {
            Output.printMessage("\(option) takes precedence over the event number in \(file.path)")
        }
        return saved
    }

    /// - Parameters:
    ///   - saved: the cursor in the file.
    ///   - after: the number given by the user, which overrides the file.
    /// - Throws: if the cursor in the file belongs to another database.
    func cursor(_ saved: CursorFile.Cursor?, orAfter after: Int64?) throws(CommandError) -> CursorFile.Cursor {
        let history = try EventHistory(on: connection)
        let last = history.last
        if let after {
            try history.requireEvent(after)
            return CursorFile.Cursor(seq: after)
        }
        guard let file else { return CursorFile.Cursor(seq: last) }
        guard let saved else {
            // The first run starts with the next event. The cursor is saved at once, so that the next run misses
            // nothing.
            let first = CursorFile.Cursor(seq: last, at: try history.time(of: last))
            try file.write(first)
            return first
        }
        if let reason = try history.reasonForAnotherDatabase(saved) { throw otherDatabase(reason, file) }
        return saved
    }

    private func otherDatabase(_ reason: String, _ file: CursorFile) -> CommandError {
        CommandError(
            status: .badData, message: "the cursor in \(file.path) belongs to another database: \(reason)",
            advice: "Remove the file to start with the next event, or use --after 0 to print all kept events.")
    }

    /// Adds the name of the cursor file to an error about the cursor.
    func addingFileName(_ commandError: CommandError) -> CommandError {
        guard let file else { return commandError }
        return switch commandError.controlError {
        case .eventsGone(let oldest):
            CommandError(
                status: commandError.status,
                message:
                    "some events after the cursor in \(file.path) were deleted; the oldest kept event is \(oldest)",
                advice: "To continue from there, run once with --after \(max(1, oldest) - 1) and --cursor-file.")
        // The database was restored from a backup after the check.
        case .invalidCursor: otherDatabase("no event with that number exists", file)
        default: commandError
        }
    }
}
