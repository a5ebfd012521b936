import Glibc

/// The terminal as a screen of its own: the alternate screen, without a cursor, with keys as they are pressed.
///
/// What the terminal was before, it is again after `leave`, and `leave` must follow every `enter`.
final class TerminalScreen {
    private let terminal: Terminal
    /// The settings that were found.
    private let original: termios
    private var isEntered = false
    /// What stands on the screen, row by row.
    private var shown: [String] = []

    private static let alternateScreen = "\u{1B}[?1049h"
    private static let hideCursorAndClear = "\u{1B}[?25l\u{1B}[2J"
    private static let leaveSequence = "\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

    /// - Throws: where standard input and output are no terminal, or one that has no such screen.
    init(_ terminal: Terminal) throws(Complaint) {
        var settings = termios()
        let isTerminal = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
        let canMove = getenv("TERM").map { !["", "dumb"].contains(String(cString: $0)) } ?? false
        guard isTerminal, canMove, tcgetattr(STDIN_FILENO, &settings) == 0 else {
            throw Complaint(status: .usage, message: "top needs a terminal; ipctl status and ipctl monitor need none")
        }
        self.terminal = terminal
        original = settings
    }

    /// Takes the screen; again, where somebody else may have used it since.
    func enter() {
        var settings = original
        // Signals stay with the keys that make them (Control-C, Control-Z); Control-S must not stop the clock.
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
        settings.c_iflag &= ~tcflag_t(IXON | ICRNL)
        settings.setMinimum(0)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
        shown = []
        // Entered twice, some terminals forget where the cursor was.
        write((isEntered ? "" : Self.alternateScreen) + Self.hideCursorAndClear)
        isEntered = true
    }

    /// Gives the terminal back as it was found. What was typed ahead is for nobody.
    func leave() {
        guard isEntered else { return }
        isEntered = false
        write(Self.leaveSequence)
        // In the background this would stop the program, and the terminal would stay as it is.
        let found = signal(SIGTTOU, SIG_IGN)
        var settings = original
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
        signal(SIGTTOU, found)
    }

    /// Draw all of the next canvas, not only what is other than before.
    func forget() {
        shown = []
        write("\u{1B}[2J")
    }

    /// Draws the rows that are other than before, in one write, so that nobody sees a half.
    func show(_ canvas: Canvas) {
        let lines = canvas.lines(on: terminal)
        var text = ""
        for (row, line) in lines.enumerated() where row >= shown.count || shown[row] != line {
            text += "\u{1B}[\(row + 1);1H\(line)"
            // At the right edge the cursor stands on the last character still, which this would erase.
            if canvas.usedColumns(row: row) < canvas.columns { text += "\u{1B}[K" }
        }
        shown = lines
        if !text.isEmpty { write(text) }
    }

    /// What was typed since; empty where nothing was.
    func typed() -> [UInt8] {
        var chunk = [UInt8](repeating: 0, count: 4_096)
        let count = read(STDIN_FILENO, &chunk, chunk.count)
        return count > 0 ? Array(chunk[..<count]) : []
    }

    private func write(_ text: String) {
        let bytes = Array(text.utf8)
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count > 0 {
                written += count
            } else if errno != EINTR {
                // The terminal has gone: poll(2) tells of it, too, and that ends the program.
                return
            }
        }
    }
}

extension termios {
    /// How many bytes read(2) waits for: with none, it returns what is there.
    fileprivate mutating func setMinimum(_ count: UInt8) {
        withUnsafeMutableBytes(of: &c_cc) { controls in
            controls[Int(VMIN)] = count
            controls[Int(VTIME)] = 0
        }
    }
}
