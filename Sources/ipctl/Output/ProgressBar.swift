import Glibc

/// How far a long command is, on standard error; nothing where that is no terminal.
final class ProgressBar {
    private let total: Int
    private let isShown: Bool

    private static let cells = 30

    init(total: Int) {
        self.total = total
        isShown = isatty(STDERR_FILENO) == 1 && total > 1
    }

    func show(_ done: Int) {
        guard isShown else { return }
        let filled = total == 0 ? Self.cells : Self.cells * done / total
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.cells - filled)
        put("\r\(bar) \(Times.grouped(done)) of \(Times.grouped(total))")
    }

    /// Leaves no trace of the bar.
    func end() {
        if isShown { put("\r\u{1B}[K") }
    }

    private func put(_ text: String) {
        let bytes = Array(text.utf8)
        // A bar that cannot be shown is no reason to stop.
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
