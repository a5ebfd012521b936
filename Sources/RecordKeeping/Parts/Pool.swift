/// Values that many have in common, each kept once for as long as somebody has it, and named by a small number.
///
/// The number 0 stands for none.
package struct Pool<Value: Poolable>: Sendable {
    private struct Holding: Sendable {
        let value: Value
        var holders: Int32
    }

    private var holdings: [Holding?] = [nil]
    private var numbers: [Value: UInt32] = [:]
    /// Numbers of values that are shared, as they were last given away, each where the identity of its value says: a cache
    /// that spares hashing what is long.
    private var recent: [UInt32] = []
    /// The number that was given away last, of values that are not shared.
    private var last: UInt32 = 0
    /// Numbers that are given to new values.
    private var reusable: [UInt32] = []
    /// Numbers whose last holder has gone since; they are given away when there are many of them.
    private var freed: [UInt32] = []
    /// Changes whenever a number may stand for another value than before.
    private(set) var edition = 0

    /// One more than the largest number that was ever in use.
    var bound: Int { holdings.count }

    subscript(number: UInt32) -> Value? {
        holdings[Int(number)]?.value
    }

    /// What was named a moment ago, before anything changed.
    package subscript(id: PartID) -> Value? { self[id.number] }

    /// Somebody has this now, instead of what the number stands for.
    mutating func replace(_ number: inout UInt32, by value: Value?) {
        switch (self[number], value) {
        case (nil, nil): return
        case (let old?, let new?) where old.isExactly(new): return
        default: break
        }
        release(number)
        number = value.map { hold($0) } ?? 0
    }

    /// Somebody more has it.
    private mutating func hold(_ value: Value) -> UInt32 {
        guard let identity = value.sharedIdentity else { return holdUnshared(value) }
        if recent.isEmpty { recent = Array(repeating: 0, count: Self.mostRecent) }
        // References are multiples of 16.
        let place = Int((identity >> 4) % UInt(Self.mostRecent))
        let last = Int(recent[place])
        if holdings[last]?.value.sharedIdentity == identity {
            holdings[last]?.holders += 1
            return UInt32(last)
        }
        let number = holdAnew(value)
        // What is equal to it may have come first, and is what is kept.
        if holdings[Int(number)]?.value.sharedIdentity == identity { recent[place] = number }
        return number
    }

    /// Nearly all have the one that came last.
    private mutating func holdUnshared(_ value: Value) -> UInt32 {
        if holdings[Int(last)]?.value.isExactly(value) == true {
            holdings[Int(last)]?.holders += 1
        } else {
            last = holdAnew(value)
        }
        return last
    }

    private static var mostRecent: Int { 4_096 }

    private mutating func holdAnew(_ value: Value) -> UInt32 {
        let known = numbers[value]
        if let known, holdings[Int(known)]?.value.isExactly(value) == true {
            holdings[Int(known)]?.holders += 1
            return known
        }
        let holding = Holding(value: value, holders: 1)
        let number = freeNumber() ?? UInt32(holdings.count)
        if Int(number) == holdings.count { holdings.append(holding) } else { holdings[Int(number)] = holding }
        // Two that are equal and not the same, as Unicode has it, are rare, and the second is nobody's to share.
        if known == nil { numbers[value] = number }
        return number
    }

    /// Somebody less has it.
    private mutating func release(_ number: UInt32) {
        guard let holding = holdings[Int(number)] else { return }
        guard holding.holders == 1 else {
            holdings[Int(number)]?.holders -= 1
            return
        }
        holdings[Int(number)] = nil
        if numbers[holding.value] == number { numbers[holding.value] = nil }
        freed.append(number)
    }

    /// Numbers are given away again many at a time, so that `edition` changes seldom.
    private mutating func freeNumber() -> UInt32? {
        if reusable.isEmpty, freed.count > max(1_024, bound / 8) {
            swap(&freed, &reusable)
            edition += 1
        }
        return reusable.popLast()
    }
}

/// What a pool may hold.
package protocol Poolable: Hashable, Sendable {
    /// Both are the same to the last byte: texts that only look the same are equal, and are still not the same.
    func isExactly(_ other: Self) -> Bool

    /// A number that only copies of this have while it is there; nil where there is none.
    var sharedIdentity: UInt? { get }
}

extension Poolable {
    package var sharedIdentity: UInt? { nil }
}

extension String: Poolable {
    package func isExactly(_ other: String) -> Bool {
        self == other && utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}

extension [String?] {
    fileprivate func areExactly(_ others: [String?]) -> Bool {
        count == others.count
            && zip(self, others).allSatisfy { mine, other in
                guard let mine, let other else { return mine == other }
                return mine.isExactly(other)
            }
    }
}

extension Place: Poolable {
    package func isExactly(_ other: Place) -> Bool { self == other && texts.areExactly(other.texts) }
}

extension Network: Poolable {
    package func isExactly(_ other: Network) -> Bool { self == other && texts.areExactly(other.texts) }
}

extension Shared: Poolable where Value: Poolable {
    package var sharedIdentity: UInt? { identity }

    package func isExactly(_ other: Shared) -> Bool { isSame(as: other) || value.isExactly(other.value) }
}

extension WatchLabel: Poolable {
    package func isExactly(_ other: WatchLabel) -> Bool {
        self == other && (tags + [note]).areExactly(other.tags + [other.note])
    }
}
