/// A key that a person pressed.
enum Key: Hashable {
    case up, down, pageUp, pageDown, home
    case enter, escape, backspace
    /// Draw all of it anew (Control-L).
    case redraw
    case character(Character)
}
