import Glibc

/// The size of a terminal.
struct WindowSize: Hashable {
    var columns: Int
    var rows: Int

    /// The default size, for terminals of unknown size and for other output.
    static let fallback = WindowSize(columns: 80, rows: 24)

    /// The size of the terminal at standard output.
    static var standardOutput: WindowSize {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return fallback
        }
        return WindowSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }
}
