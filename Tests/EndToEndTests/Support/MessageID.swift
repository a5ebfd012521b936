/// The MESSAGE_IDs of alerts, which are a contract with users who filter the journal. They are repeated here, so that a
/// change in the code fails a test.
enum MessageID {
    static let networkLost = "202cf51425224997b73e90a673c468a0"
    static let networkRestored = "519d61e53cbb4b2ab86fc4dc90b79c4a"
}
