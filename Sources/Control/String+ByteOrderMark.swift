extension String {
    /// This string without a leading byte order mark, which spreadsheets and Windows programs write before UTF-8.
    package var withoutByteOrderMark: Substring {
        unicodeScalars.first == "\u{FEFF}" ? Substring(unicodeScalars.dropFirst()) : self[...]
    }
}
