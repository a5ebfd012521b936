/// The last of what happened, for people.
final class Trace {
    private(set) var lines: [String] = []
    private static let capacity = 60

    func add(_ line: String) {
        lines.append(line)
        if lines.count > 2 * Self.capacity { lines.removeFirst(Self.capacity) }
    }
}
