/// Pieces of JSON, each at a number. They lie in memory of their own, which nobody has to hold on to while one is put down:
/// counting holders would take longer than putting it down.
struct Pieces: ~Copyable {
    private let pieces: UnsafeMutableBufferPointer<UnsafeBufferPointer<UInt8>>

    /// - Parameter count: how many; all empty.
    init(count: Int) {
        pieces = .allocate(capacity: count)
        pieces.initialize(repeating: UnsafeBufferPointer(start: nil, count: 0))
    }

    init(_ all: [[UInt8]]) {
        self.init(count: all.count)
        for (number, piece) in all.enumerated() { set(number, piece) }
    }

    deinit {
        for piece in pieces { piece.deallocate() }
        pieces.deallocate()
    }

    /// Valid until another is set here.
    @inline(__always)
    subscript(number: Int) -> UnsafeBufferPointer<UInt8> { pieces[number] }

    mutating func set(_ number: Int, _ bytes: [UInt8]) {
        let piece = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = piece.initialize(from: bytes)
        pieces[number].deallocate()
        pieces[number] = UnsafeBufferPointer(piece)
    }
}
