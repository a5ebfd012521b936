/// A value that many hold at once, and that is kept once: copies share it.
///
/// Two are equal when what they hold is; that both are the same copy is found at once.
package struct Shared<Value: Hashable & Sendable>: Hashable, Sendable {
    private final class Box: Sendable {
        let value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    private let box: Box

    package init(_ value: Value) {
        box = Box(value)
    }

    package var value: Value { box.value }

    /// Both are one copy.
    package func isSame(as other: Shared) -> Bool { box === other.box }

    /// A number that all copies of one have, and that no other has while one of them is there.
    package var identity: UInt { UInt(bitPattern: ObjectIdentifier(box)) }

    package static func == (a: Shared, b: Shared) -> Bool {
        a.box === b.box || a.box.value == b.box.value
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(box.value)
    }
}
