import RecordKeeping

/// The answers about recent addresses. Their number is bounded: the addresses that no recent line contained are
/// forgotten.
struct AnswerCache {
    /// Two generations: when the younger one is full, the older one is dropped.
    private var (young, old): ([IPAddress: AddressAnswer], [IPAddress: AddressAnswer]) = ([:], [:])
    private let addressesPerGeneration: Int

    /// The default size of a generation. An answer takes some hundred bytes.
    static let addressesPerGeneration = 50_000

    init(addressesPerGeneration: Int = AnswerCache.addressesPerGeneration) {
        self.addressesPerGeneration = addressesPerGeneration
    }

    var count: Int { young.count + old.count }

    mutating func answer(about address: IPAddress) -> AddressAnswer? {
        if let answer = young[address] { return answer }
        guard let answer = old.removeValue(forKey: address) else { return nil }
        insert(answer)
        return answer
    }

    /// Adds an answer, or replaces that about the same address.
    mutating func insert(_ answer: AddressAnswer) {
        if young.count >= addressesPerGeneration { (old, young) = (young, [:]) }
        young[answer.address] = answer
    }
}
