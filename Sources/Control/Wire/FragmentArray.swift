/// An array of JSON fragments in manually managed memory. Reading a fragment needs no reference counting, which would
/// take longer than copying the fragment.
struct FragmentArray: ~Copyable {
    private let pieces: UnsafeMutableBufferPointer<UnsafeBufferPointer<UInt8>>

    /// Creates empty fragments.
    ///
    /// - Parameter count: the number of fragments, which is fixed.
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

    /// The fragment at an index; valid until it is replaced.
    @inline(__always)
    subscript(number: Int) -> UnsafeBufferPointer<UInt8> { pieces[number] }

    mutating func set(_ number: Int, _ bytes: [UInt8]) {
        let piece = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = piece.initialize(from: bytes)
        pieces[number].deallocate()
        pieces[number] = UnsafeBufferPointer(piece)
    }
}
