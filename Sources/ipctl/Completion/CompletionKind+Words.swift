import ArgumentParser
import RecordKeeping

/// What a shell offers for the values of arguments and options.
extension CompletionKind {
    /// Addresses of the watch list, from the daemon.
    static var watchedAddresses: CompletionKind {
        .custom { words, index, prefix in
            let line = CompletionLine(words: words, index: index, prefix: prefix)
            return line.offered(WatchedWords(line).addresses)
        }
    }

    /// Tags that entries of the watch list have, from the daemon.
    static var usedTags: CompletionKind {
        .custom { words, index, prefix in
            let line = CompletionLine(words: words, index: index, prefix: prefix)
            return line.offered(WatchedWords(line).tags)
        }
    }

    static var eventKinds: CompletionKind { .list(Notice.Kind.allCases.map(\.rawValue)) }
    static var entryStates: CompletionKind { .list(EntryState.allCases.map(\.rawValue)) }
    static var fields: CompletionKind { .list(FieldValues.names) }
}
