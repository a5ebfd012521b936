import DequeModule
import Glibc

/// A queue that serves its users in turn, regardless of how much work each user has (fair queuing, RFC 970).
struct FairQueue<Element> {
    private var elements: [uid_t: Deque<Element>] = [:]
    /// The users with queued work, in the order of their turns.
    private var turns: Deque<uid_t> = []

    var isEmpty: Bool { turns.isEmpty }

    mutating func append(_ element: Element, of user: uid_t) {
        if elements[user] == nil { turns.append(user) }
        elements[user, default: []].append(element)
    }

    /// Removes the oldest element of the user whose turn it is.
    mutating func popFirst() -> Element? {
        guard let user = turns.popFirst(), let element = elements[user]?.popFirst() else { return nil }
        if elements[user]?.isEmpty == true { elements[user] = nil } else { turns.append(user) }
        return element
    }
}
