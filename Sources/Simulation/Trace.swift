/// The last events of a run as text. Adding a line takes amortized constant time.
final class Trace {
    private(set) var lines: [String] = []
    private static let capacity = 60

    func add(_ line: String) {
        lines.append(line)
        if lines.count > 2 * Self.capacity { lines.removeFirst(Self.capacity) }
    }
}
