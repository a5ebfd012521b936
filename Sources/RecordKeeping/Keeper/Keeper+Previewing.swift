/// Replies to `Reload` requests that ask for the changes of a reload.
///
/// A preview runs the steps of a reload, in turns, so that other clients are served in between. The commit of each turn
/// is discarded, so the next turn sees the watch list as it is on disk by then. The result is the same, because the
/// portions of a reload contain each address once.
extension Keeper {
    /// Begins the preview of a reload.
    mutating func preview(_ reading: ListReading, at now: Instant) {
        guard let request = reading.request else { return }
        guard previews.count < Limits.previews else {
            return emit(.answer(request, .refused(.tooMany(limit: Limits.previews, .waitingRequests))))
        }
        previews.append(PendingReading(reading, id: 0))
        goOnPreviewing(request, at: now)
    }

    /// Continues the preview for a request for one turn.
    mutating func goOnPreviewing(_ request: Request.ID, at now: Instant) {
        guard let index = previews.firstIndex(where: { $0.requests == [request] }) else { return }
        var reading = previews.remove(at: index)
        var scratch = PendingCommit(
            id: Commit.ID(number: 0), lastSeq: commitQueue.lastSeq, lastEntry: commitQueue.lastEntry.number)
        do throws(RefusedReading) {
            while changesLeft > 0, reading.step != .done { try advance(&reading, in: &scratch, at: now) }
        } catch {
            return emit(.answer(request, .refused(.reloadFailed("\(error)"))))
        }
        for answer in scratch.answers { emit(.answer(answer.request, answer.response)) }
        guard reading.step != .done else { return }
        previews.append(reading)
        emit(.resume(request))
    }
}
