@testable import ipctl

/// The type of ipctl; the testing library has one of the same name.
typealias ExitStatus = ipctl.ExitStatus

extension Terminal {
    /// Output to a pipe.
    static let pipe = Terminal(hasColor: false, columns: nil)

    /// A terminal of a width, without colours.
    static func wide(_ columns: Int) -> Terminal { Terminal(hasColor: false, columns: columns) }
}

extension [String] {
    /// Returns the value of a label on a card; nil if there is no such line.
    func value(of label: String) -> String? {
        for line in self {
            let content = line.drop { $0 == " " }
            if content.hasPrefix(label + "  ") { return String(content.dropFirst(label.count + 2)) }
        }
        return nil
    }
}

enum PlainText {
    /// Returns a line without colour sequences.
    static func text(_ line: String) -> String {
        line.replacing(/\u{1B}\[[0-9;]*m/, with: "")
    }
}
