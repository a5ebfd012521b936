/// A reference to an immutable value that many holders share.
///
/// References are equal if their values are equal. Comparing two references to the same copy takes constant time.
package struct Interned<Value: Hashable & Sendable>: Hashable, Sendable {
    private final class Box: Sendable {
        let value: Value
        /// The hash of the value, computed once: several tables look up each new value, and hashing its strings takes
        /// longer than the rest of a lookup.
        let hash: Int

        init(_ value: Value) {
            self.value = value
            hash = value.hashValue
        }
    }

    private let box: Box

    package init(_ value: Value) {
        box = Box(value)
    }

    package var value: Value { box.value }

    /// Returns whether both references refer to the same copy.
    package func isSame(as other: Interned) -> Bool { box === other.box }

    /// The address of this copy, which is unique while the copy exists, and may be reused afterwards.
    var identity: UInt { UInt(bitPattern: ObjectIdentifier(box)) }

    package static func == (a: Interned, b: Interned) -> Bool {
        a.box === b.box || a.box.hash == b.box.hash && a.box.value == b.box.value
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(box.hash)
    }
}
