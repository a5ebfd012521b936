/// The last events of a run as text. Adding a line takes amortized constant time.
package final class Trace {
    package private(set) var lines: [String] = []
    private static let capacity = 60

    package init() {}

    package func add(_ line: String) {
        lines.append(line)
        if lines.count > 2 * Self.capacity { lines.removeFirst(Self.capacity) }
    }
}
