import ArgumentParser
import Control
import Varlink

/// The changes that the user requests.
extension TopModel {
    /// The addresses to which a change applies: that of the card, or the marked ones, or the selected one.
    private var targets: [String: Bool] {
        if case .card(let card) = page { return [card.address: card.entry.pinned] }
        guard marks.isEmpty else { return marks }
        return list[selection.position].map { [$0.address: $0.pinned] } ?? [:]
    }

    /// - Returns: whether the key requests a change.
    mutating func act(_ key: KeyPress) -> Bool {
        guard case .character(let character) = key, "rpt".contains(character) else { return false }
        guard !isDisconnected else {
            message = .failed("the daemon is disconnected")
            return true
        }
        guard status?.administrator != false else {
            message = .failed(CommandError(.service(.permissionDenied), from: "").message)
            return true
        }
        let targets = self.targets
        let addresses = targets.keys.sorted()
        guard !addresses.isEmpty else { return true }
        switch character {
        case "r": acts.append(.refresh(addresses))
        case "p": acts.append(.pin(addresses, arePinned: targets.values.allSatisfy(\.self)))
        default: overlay = .prompt(TopPrompt(purpose: .tags(addresses: addresses)))
        }
        return true
    }

    /// Requests the tag changes that the user typed, or shows why they are invalid.
    mutating func requestTags(_ text: String, of addresses: [String]) {
        do {
            if let act = try TopAct.tag(addresses, text) { acts.append(act) }
        } catch {
            message = .failed((error as? ValidationError)?.message ?? "\(error)")
        }
    }
}
