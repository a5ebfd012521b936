import Glibc

/// A progress bar on standard error, shown only on a terminal.
final class ProgressBar {
    private let total: Int
    private let isShown: Bool
    /// The progress at which the bar is next redrawn.
    private var next = 0

    private static let cells = 30

    init(total: Int) {
        self.total = total
        isShown = isatty(STDERR_FILENO) == 1 && total > 1
    }

    deinit { end() }

    func show(_ done: Int) {
        let done = min(max(0, done), total)
        guard isShown, done >= next else { return }
        // Redraw at most 1,000 times, so that drawing does not slow down the command.
        next = done + max(1, total / 1_000)
        let filled = total == 0 ? Self.cells : Self.cells * done / total
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.cells - filled)
        put("\r\(bar) \(Times.grouped(done)) of \(Times.grouped(total))")
    }

    /// Erases the bar.
    func end() {
        guard isShown, next > 0 else { return }
        next = 0
        put("\r\u{1B}[K")
    }

    private func put(_ text: String) {
        // An error is ignored: the bar is not essential.
        try? Array(OutputCharacters.current.text(text).utf8)[...].write(to: STDERR_FILENO)
    }
}
