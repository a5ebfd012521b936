/// Values that many have in common, each kept once for as long as somebody has it, and named by a small number.
///
/// The number 0 stands for none.
struct Pool<Value: Hashable & Sendable>: Sendable {
    private struct Holding: Sendable {
        let value: Value
        var holders: Int32
    }

    private var holdings: [Holding?] = [nil]
    private var numbers: [Value: UInt32] = [:]
    private var free: [UInt32] = []
    /// Changes whenever a number may stand for another value than before.
    private(set) var edition = 0

    /// How many values there are.
    var count: Int { numbers.count }

    /// One more than the largest number in use.
    var bound: Int { holdings.count }

    subscript(number: UInt32) -> Value? {
        holdings[Int(number)]?.value
    }

    /// Somebody has this now, instead of what the number stands for.
    mutating func replace(_ number: inout UInt32, by value: Value?) {
        guard self[number] != value else { return }
        release(number)
        number = value.map { hold($0) } ?? 0
    }

    /// Somebody more has it.
    private mutating func hold(_ value: Value) -> UInt32 {
        if let number = numbers[value] {
            holdings[Int(number)]?.holders += 1
            return number
        }
        let holding = Holding(value: value, holders: 1)
        let number = free.popLast() ?? UInt32(holdings.count)
        if Int(number) == holdings.count { holdings.append(holding) } else { holdings[Int(number)] = holding }
        numbers[value] = number
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
        numbers[holding.value] = nil
        free.append(number)
        edition += 1
    }
}
