/// A pressed key.
enum KeyPress: Hashable {
    case up, down, pageUp, pageDown, home
    case enter, escape, backspace
    /// Redraws the screen (Control-L).
    case redraw
    case character(Character)
}
