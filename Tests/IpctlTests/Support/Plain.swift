@testable import ipctl

/// Ours; the testing library has one, too.
typealias ExitStatus = ipctl.ExitStatus

extension Terminal {
    /// A pipe.
    static let pipe = Terminal(hasColor: false, columns: nil)

    /// A terminal of that width, without colours.
    static func wide(_ columns: Int) -> Terminal { Terminal(hasColor: false, columns: columns) }
}

extension [String] {
    /// The value that stands beside a label of a card; nil where there is no such line.
    func value(of label: String) -> String? {
        for line in self {
            let content = line.drop { $0 == " " }
            if content.hasPrefix(label + "  ") { return String(content.dropFirst(label.count + 2)) }
        }
        return nil
    }
}

enum Plain {
    /// A line as a terminal shows it: without the sequences that colour it.
    static func text(_ line: String) -> String {
        line.replacing(/\u{1B}\[[0-9;]*m/, with: "")
    }
}
