import ArgumentParser
import RecordKeeping

/// The completions of arguments and of the values of options.
extension CompletionKind {
    /// Addresses of the watch list, from the daemon.
    static var watchedAddresses: CompletionKind {
        .custom { words, index, prefix in
            let line = CompletionLine(words: words, index: index, prefix: prefix)
            return line.matching(WatchListWords(line).addresses)
        }
    }

    /// Tags of entries on the watch list, from the daemon.
    static var usedTags: CompletionKind {
        .custom { words, index, prefix in
            let line = CompletionLine(words: words, index: index, prefix: prefix)
            return line.matching(WatchListWords(line).tags)
        }
    }

    static var eventKinds: CompletionKind { .list(PublishedEvent.Kind.allCases.map(\.rawValue)) }
    static var entryStates: CompletionKind { .list(EntryState.allCases.map(\.rawValue)) }
    static var fields: CompletionKind { .list(FieldValues.names) }
}
