import Glibc

/// The terminal in full-screen mode: the alternate screen, a hidden cursor, unbuffered keys and reports of the mouse.
///
/// `leave` restores the terminal, and must follow every `enter`.
final class TerminalScreen {
    private let terminal: Terminal
    /// The original settings of the terminal.
    private let original: termios
    private var isEntered = false
    /// The rows on the screen.
    private var shown: [String] = []

    private static let alternateScreen = "\u{1B}[?1049h"
    private static let hideCursorAndClear = "\u{1B}[?25l\u{1B}[2J"
    /// Reports of buttons and of the wheel (xterm, modes 1000 and 1006). Terminals without a mouse ignore the
    /// sequences.
    private static let enableMouse = "\u{1B}[?1000h\u{1B}[?1006h"
    private static let leaveSequence = "\u{1B}[?1006l\u{1B}[?1000l\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

    /// - Throws: if standard input or output is not a terminal, or if the terminal does not support full-screen mode.
    init(_ terminal: Terminal) throws(CommandError) {
        var settings = termios()
        let isTerminal = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
        let canMove = getenv("TERM").map { !["", "dumb"].contains(String(cString: $0)) } ?? false
        guard isTerminal, canMove, tcgetattr(STDIN_FILENO, &settings) == 0 else {
            throw CommandError(
                status: .usage, message: "top needs a terminal; use ipctl status or ipctl monitor instead")
        }
        self.terminal = terminal
        original = settings
    }

    /// Enters full-screen mode, or restores it after another program has used the terminal.
    func enter() {
        var settings = original
        // Control-C and Control-Z still send signals; Control-S must not stop the output.
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
        settings.c_iflag &= ~tcflag_t(IXON | ICRNL)
        // read(2) does not wait for a key.
        withUnsafeMutableBytes(of: &settings.c_cc) { controls in
            (controls[Int(VMIN)], controls[Int(VTIME)]) = (0, 0)
        }
        tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
        shown = []
        // If the alternate screen is entered twice, some terminals lose the position of the cursor.
        write((isEntered ? "" : Self.alternateScreen) + Self.hideCursorAndClear + Self.enableMouse)
        isEntered = true
    }

    /// Leaves full-screen mode and discards pending input.
    func leave() {
        guard isEntered else { return }
        isEntered = false
        write(Self.leaveSequence)
        // In the background, SIGTTOU would stop the program before the terminal is restored.
        let previousHandler = signal(SIGTTOU, SIG_IGN)
        var settings = original
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
        signal(SIGTTOU, previousHandler)
    }

    /// Clears the screen, so that the next canvas is drawn completely.
    func invalidate() {
        shown = []
        write("\u{1B}[2J")
    }

    /// Draws the changed rows in a single write, so that no partial update is visible.
    func show(_ canvas: Canvas) {
        let lines = canvas.lines(on: terminal)
        var text = ""
        for (row, line) in lines.enumerated() where row >= shown.count || shown[row] != line {
            text += "\u{1B}[\(row + 1);1H\(line)"
            // After a full row, the cursor stays on the last character, which this sequence would erase.
            if canvas.usedColumns(row: row) < canvas.columns { text += "\u{1B}[K" }
        }
        shown = lines
        if !text.isEmpty { write(text) }
    }

    /// Returns the pending input; empty if there is none.
    func readInput() -> [UInt8] {
        var chunk = [UInt8](repeating: 0, count: 4_096)
        let count = read(STDIN_FILENO, &chunk, chunk.count)
        return count > 0 ? Array(chunk[..<count]) : []
    }

    private func write(_ text: String) {
        // If the terminal is gone, the write fails; the program ends once poll(2) reports that the terminal is gone.
        try? Array(OutputCharacters.current.text(text).utf8)[...].write(to: STDOUT_FILENO)
    }
}
