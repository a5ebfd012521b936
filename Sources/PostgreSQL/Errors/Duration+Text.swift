extension Duration {
    /// The duration in whole seconds or milliseconds, as in "10 s" or "300 ms".
    var text: String {
        let milliseconds = (self / .milliseconds(1)).rounded()
        // Larger values may not fit into an integer.
        guard milliseconds.magnitude < 1e15 else { return "\(self)" }
        let whole = Int64(milliseconds)
        return whole % 1_000 == 0 ? "\(whole / 1_000) s" : "\(whole) ms"
    }
}
