import ArgumentParser
import RecordKeeping

/// The completions of arguments and of the values of options.
extension CompletionKind {
    /// Addresses of the watch list, from the daemon.
    static var watchedAddresses: CompletionKind { fromDaemon { $0.addresses } }

    /// Tags of entries on the watch list, from the daemon.
    static var usedTags: CompletionKind { fromDaemon { $0.tags } }

    private static func fromDaemon(_ candidates: @escaping @Sendable (WatchListWords) -> [String]) -> CompletionKind {
        .custom { words, index, prefix in
            let line = CompletionLine(words: words, index: index, prefix: prefix)
            return line.matching(candidates(WatchListWords(line)))
        }
    }

    static var eventKinds: CompletionKind { .list(PublishedEvent.Kind.allCases.map(\.rawValue)) }
    static var entryStates: CompletionKind { .list(List.states) }
    static var fields: CompletionKind { .list(FieldValues.names) }
}
