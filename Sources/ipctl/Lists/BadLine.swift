/// What is wrong with a line, and what would be right.
struct BadLine: Error, Hashable {
    let message: String

    init(_ message: String) {
        self.message = message
    }

    /// The file and the line that a person has to look at.
    func complaint(line: Int, of name: String) -> Complaint {
        Complaint(status: .badData, message: "line \(Times.grouped(line)) of \(name): \(message)")
    }

    /// A part of a line, short enough to be told and harmless.
    static func quoted(_ text: some StringProtocol) -> String {
        "\"\(String(text).printable.cut(to: 60))\""
    }
}
