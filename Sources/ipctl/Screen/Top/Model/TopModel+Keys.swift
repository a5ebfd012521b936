import Control

/// The keys of each page.
extension TopModel {
    /// The rows that the wheel of the mouse scrolls.
    private static let wheelRows = 3

    mutating func handle(_ key: KeyPress) {
        if key != .redraw { message = nil }
        switch (overlay, page) {
        case (.prompt(let prompt)?, _): type(key, into: prompt)
        case (.help(let offset)?, _): pressInHelp(key, offset: offset)
        case (nil, .card(let card)): press(key, in: card)
        case (nil, .list): pressInList(key)
        }
    }

    // MARK: List

    private mutating func pressInList(_ key: KeyPress) {
        guard !moveSelection(key), !act(key) else { return }
        switch key {
        case .enter: if let entry = list[selection.position] { page = .card(TopCard(entry)) }
        case .character("?"): overlay = .help(offset: 0)
        case .character("/"): overlay = .prompt(TopPrompt(purpose: .search, text: list.filter.search ?? ""))
        case .character("s"): showNextState()
        case .character(" "): toggleMark()
        case .character("u"): marks = [:]
        case .character("q"): isOver = true
        case .escape where list.filter.isNarrowed: show(ListWindow.Filter(fixed: list.filter.fixed))
        default: break
        }
    }

    /// - Returns: whether the key moves the selection.
    private mutating func moveSelection(_ key: KeyPress) -> Bool {
        let rows = layout.list
        switch key {
        case .up, .character("k"): selection.select(selection.position - 1, in: list, rows: rows)
        case .down, .character("j"): selection.select(selection.position.clampedAdding(1), in: list, rows: rows)
        case .pageUp: selection.turnPages(-1, in: list, rows: rows)
        case .pageDown: selection.turnPages(1, in: list, rows: rows)
        case .home, .character("g"): selection.select(0, in: list, rows: rows)
        case .end, .character("G"): selection.select(.max, in: list, rows: rows)
        case .wheelUp: selection.scroll(by: -Self.wheelRows, in: list, rows: rows)
        case .wheelDown: selection.scroll(by: Self.wheelRows, in: list, rows: rows)
        case .click(_, let row):
            let position = visible.lowerBound + row - layout.firstListRow
            if visible.contains(position) { selection.select(position, in: list, rows: rows) }
        default: return false
        }
        return true
    }

    private mutating func toggleMark() {
        guard let entry = list[selection.position] else { return }
        marks[entry.address] = marks[entry.address] == nil ? entry.pinned : nil
        selection.select(selection.position.clampedAdding(1), in: list, rows: layout.list)
    }

    private mutating func showNextState() {
        let states: [String?] = [nil] + StateMark.states
        let index = states.firstIndex(of: list.filter.state) ?? 0
        var filter = list.filter
        filter.state = states[(index + 1) % states.count]
        show(filter)
    }

    // MARK: Card and help

    private mutating func press(_ key: KeyPress, in card: TopCard) {
        let lines = card.lines(columns: size.columns, now: roundBeganAt ?? 0).count
        if let offset = scrolled(card.offset, by: key, lines: lines) {
            var card = card
            card.offset = offset
            page = .card(card)
            return
        }
        guard !act(key) else { return }
        switch key {
        case .escape, .enter, .character("q"):
            page = .list
            requireRound()
        case .character("?"): overlay = .help(offset: 0)
        default: break
        }
    }

    /// Any key except those that scroll returns. If all lines are visible, no key scrolls.
    private mutating func pressInHelp(_ key: KeyPress, offset: Int) {
        let lines = TopHelp.lines(columns: size.columns).count
        guard lines > layout.textRows, let offset = scrolled(offset, by: key, lines: lines) else {
            if key != .redraw { overlay = nil }
            return
        }
        overlay = .help(offset: offset)
    }

    /// Returns the first visible line of a text after a key; nil if the key does not scroll.
    private func scrolled(_ offset: Int, by key: KeyPress, lines: Int) -> Int? {
        let rows = layout.textRows
        let last = max(0, lines - rows)
        let target: Int
        switch key {
        case .up, .character("k"): target = offset - 1
        case .down, .character("j"): target = offset + 1
        case .pageUp: target = offset - max(1, rows)
        case .pageDown, .character(" "): target = offset + max(1, rows)
        case .home, .character("g"): target = 0
        case .end, .character("G"): target = last
        case .wheelUp: target = offset - Self.wheelRows
        case .wheelDown: target = offset + Self.wheelRows
        default: return nil
        }
        return min(max(0, target), last)
    }

    // MARK: Prompt

    private mutating func type(_ key: KeyPress, into prompt: TopPrompt) {
        var prompt = prompt
        switch key {
        case .character(let character): prompt.append(character)
        case .backspace: prompt.text = String(prompt.text.dropLast())
        case .escape:
            overlay = nil
            return
        case .enter:
            overlay = nil
            finish(prompt)
            return
        default: return
        }
        overlay = .prompt(prompt)
    }

    private mutating func finish(_ prompt: TopPrompt) {
        switch prompt.purpose {
        case .search:
            var filter = list.filter
            filter.search = prompt.text.isEmpty ? nil : prompt.text
            show(filter)
        case .tags(let addresses):
            requestTags(prompt.text, of: addresses)
        }
    }
}
