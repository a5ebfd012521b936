import Glibc

/// How far a long command is, on standard error; nothing where that is no terminal.
final class ProgressBar {
    private let total: Int
    private let isShown: Bool
    /// From here on it is worth drawing anew.
    private var next = 0

    private static let cells = 30

    init(total: Int) {
        self.total = total
        isShown = isatty(STDERR_FILENO) == 1 && total > 1
    }

    deinit { end() }

    func show(_ done: Int) {
        guard isShown, done >= next else { return }
        // No finer than an eye sees, or the drawing would take longer than what is drawn.
        next = done + max(1, total / 1_000)
        let filled = total == 0 ? Self.cells : Self.cells * min(done, total) / total
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.cells - filled)
        put("\r\(bar) \(Times.grouped(done)) of \(Times.grouped(total))")
    }

    /// Leaves no trace of the bar.
    func end() {
        guard isShown, next > 0 else { return }
        next = 0
        put("\r\u{1B}[K")
    }

    private func put(_ text: String) {
        let bytes = Array(text.utf8)
        // A bar that cannot be shown is no reason to stop.
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
