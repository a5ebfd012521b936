/// A pressed key, or an action of the mouse.
enum KeyPress: Hashable {
    case up, down, pageUp, pageDown, home, end
    case enter, escape, backspace
    /// Redraws the screen (Control-L).
    case redraw
    case character(Character)
    case wheelUp, wheelDown
    /// A click with the left button, counted from 0.
    case click(column: Int, row: Int)
}
