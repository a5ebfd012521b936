import RecordKeeping

/// What a tag and a note may be, for both ends.
package enum LabelText {
    /// One word without a comma, of at most `Limits.tagBytes`.
    package static func isTag(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= Limits.tagBytes
            && text.unicodeScalars.allSatisfy {
                $0 != "," && !$0.properties.isWhitespace && $0.properties.generalCategory != .control
            }
    }

    /// One line of at most `Limits.noteBytes`.
    package static func isNote(_ text: String) -> Bool {
        text.utf8.count <= Limits.noteBytes
            && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}
