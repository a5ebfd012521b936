import RecordKeeping

/// The answers about the addresses of a line.
struct LineAnswers {
    private var answers: [AddressAnswer] = []
    /// The answers by address; nil if there are few.
    private var index: [IPAddress: AddressAnswer]?

    /// The number of answers up to which a search of all is faster than a table.
    private static let maxUnindexed = 8

    /// Whether all answers are complete.
    var areComplete: Bool { answers.allSatisfy { $0.phase == .complete } }

    /// Whether the daemon's reply about an address is pending.
    var waitForDaemon: Bool { answers.contains { $0.phase == .asked } }

    /// Whether the daemon has not replied about an address.
    var lackReply: Bool { answers.contains { $0.phase == .asked || $0.isUnasked } }

    var containSelected: Bool { answers.contains(where: \.isSelected) }

    func fields(of address: IPAddress) -> RenderedFields? {
        if let index { return index[address]?.fields }
        return answers.first { $0.address == address }?.fields
    }

    /// Replaces the answers with those about the addresses found in a line.
    ///
    /// - Parameter answer: returns the answer about an address.
    mutating func replace(with found: [FoundAddress], _ answer: (IPAddress) -> AddressAnswer) {
        answers.removeAll(keepingCapacity: true)
        index = nil
        guard found.count > Self.maxUnindexed else {
            for one in found { answers.append(answer(one.address)) }
            return
        }
        var table: [IPAddress: AddressAnswer] = [:]
        for one in found where table[one.address] == nil {
            let answer = answer(one.address)
            table[one.address] = answer
            answers.append(answer)
        }
        index = table
    }
}
