import RecordKeeping

extension ElementDigest {
    /// Computes the digest of an element. Returns nil if there are no bytes, or more than `UniversalHash.maxBytes`.
    init?(of bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty, bytes.count <= UniversalHash.maxBytes else { return nil }
        self.init(hash: UniversalHash.ofThisProcess.hash(bytes), length: bytes.count)
    }
}

/// A hash function with a random key. For any two different elements of the same length, the probability of equal
/// hashes, over all keys, is below 2⁻⁴⁹.
///
/// The function is NH (RFC 4418 §5.2, with words of 64 bits), which is much faster than `Hasher`, followed by
/// multiply-shift hashing of the 128 bits of its result (Dietzfelbinger, "Universal hashing and k-wise independent
/// random variables via integer arithmetic without primes", STACS 1996).
struct UniversalHash {
    static let ofThisProcess = UniversalHash()
    /// Maximum length of an element, in bytes.
    static let maxBytes = 1 << ElementDigest.lengthBits - 1

    private static let wordBytes = 8
    /// One key for each word of an element of maximum length.
    private let words: [UInt64]
    private let (high, low, offset): (UInt128, UInt128, UInt128)

    private init() {
        var random = SystemRandomNumberGenerator()
        words = (0..<Self.maxBytes / Self.wordBytes + 1).map { _ in random.next() }
        (high, low, offset) = (.random(in: 0 ... .max), .random(in: 0 ... .max), .random(in: 0 ... .max))
    }

    /// - Parameter bytes: at most `maxBytes`.
    /// - Returns: a hash of 50 bits, the number of hash bits in a digest.
    func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        let sum = words.withUnsafeBufferPointer { Self.nh(bytes, $0) }
        let product = high &* (sum >> 64) &+ low &* (sum & UInt128(UInt64.max)) &+ offset
        return UInt64(product >> UInt128(64 + ElementDigest.lengthBits))
    }

    private static func nh(_ bytes: UnsafeRawBufferPointer, _ key: UnsafeBufferPointer<UInt64>) -> UInt128 {
        var sum: UInt128 = 0
        var word = 0
        let pairs = bytes.count / (2 * wordBytes)
        while word < 2 * pairs {
            let first = bytes.loadUnaligned(fromByteOffset: word * wordBytes, as: UInt64.self) &+ key[word]
            let second = bytes.loadUnaligned(fromByteOffset: (word + 1) * wordBytes, as: UInt64.self)
            let product = first.multipliedFullWidth(by: second &+ key[word + 1])
            sum &+= UInt128(product.high) << 64 | UInt128(product.low)
            word += 2
        }
        let rest = bytes[(word * wordBytes)...]
        guard !rest.isEmpty else { return sum }
        // The last one or two words are padded with zeros.
        var (first, second): (UInt64, UInt64) = (0, 0)
        for (index, byte) in rest.enumerated() {
            let shifted = UInt64(byte) << UInt64(8 * (index % wordBytes))
            if index < wordBytes { first |= shifted } else { second |= shifted }
        }
        let product = (first &+ key[word]).multipliedFullWidth(by: second &+ key[word + 1])
        return sum &+ (UInt128(product.high) << 64 | UInt128(product.low))
    }
}
