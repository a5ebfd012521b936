import Glibc

/// How large a terminal is.
struct WindowSize: Hashable {
    var columns: Int
    var rows: Int

    /// What a terminal has that does not say, and what is drawn for where there is none.
    static let usual = WindowSize(columns: 80, rows: 24)

    /// Of the terminal that standard output is.
    static var standardOutput: WindowSize {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return usual }
        return WindowSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }
}
