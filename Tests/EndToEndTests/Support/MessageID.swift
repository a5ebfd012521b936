/// What the alerts are known by, as it is promised to whoever filters the journal: written out here, and not taken from the code.
enum MessageID {
    static let networkLost = "202cf51425224997b73e90a673c468a0"
    static let networkRestored = "519d61e53cbb4b2ab86fc4dc90b79c4a"
}
