import Control
import Varlink

/// Where a listener with a cursor file begins.
struct CursorStart {
    let file: CursorFile
    let connection: Connection

    /// - Throws: a `Complaint` where what the file holds is of another database.
    func seq() throws(Complaint) -> Int64 {
        let noted = try file.read()
        try file.checkThatItCanBeWritten()
        let last = try connection.call("Status", Control.Status.Parameters()).decoded(Control.Status.Reply.self)
            .store.lastSeq
        guard let noted else {
            // The first run begins now, and what happens before its first event is noted is not lost to the next.
            try file.write(CursorFile.Cursor(seq: last, at: try time(of: last)))
            return last
        }
        guard noted.seq <= last else {
            throw isOfAnother("no event with the number \(noted.seq) was ever kept, the last is \(last)")
        }
        if let at = noted.at, let found = try time(of: noted.seq), found != at {
            throw isOfAnother("event \(noted.seq) is another one there")
        }
        return noted.seq
    }

    /// When the event with a number was that is not above the last.
    ///
    /// - Returns: nil where it is kept no more.
    private func time(of seq: Int64) throws(Complaint) -> Int64? {
        guard seq > 0 else { return nil }
        // One of its own, for it goes on telling.
        let listener = try connection.another()
        do throws(Complaint) {
            try listener.send(
                Connection.message(
                    "Monitor", Control.Monitor.Parameters(after: seq - 1, kinds: nil, addresses: nil), more: true)[
                        ...])
            while true {
                let event = try listener.nextReply().decoded(Control.Monitor.Reply.self).event
                // What is not kept has no number.
                if let number = event.seq { return number == seq ? event.at : nil }
            }
        } catch {
            guard case .eventsGone = error.refusal else { throw error }
            return nil
        }
    }

    private func isOfAnother(_ reason: String) -> Complaint {
        Complaint(
            status: .badData, message: "the cursor in \(file.path) is of another database: \(reason)",
            advice: "Remove the file to begin now, or tell all that is kept with --after 0.")
    }

    /// What the daemon says of the cursor, with the file that it is in.
    func naming(_ complaint: Complaint) -> Complaint {
        switch complaint.refusal {
        case .eventsGone(let oldest):
            Complaint(
                status: complaint.status,
                message:
                    "the events after the cursor in \(file.path) are not all kept any more; the oldest is \(oldest)",
                advice: "Go on with what there is, once with --after \(max(0, oldest - 1)) beside --cursor-file.")
        // It has been restored from a copy since it was looked at.
        case .invalidCursor: isOfAnother("no event with that number was ever kept")
        default: complaint
        }
    }
}
