extension String {
    /// This without the byte order mark that spreadsheets and Windows put in front of UTF-8.
    package var withoutByteOrderMark: Substring {
        unicodeScalars.first == "\u{FEFF}" ? Substring(unicodeScalars.dropFirst()) : self[...]
    }
}
