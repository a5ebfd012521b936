/// Replies to requests that ask what a reload or a removal would change.
///
/// A preview runs the steps of a reload, in turns, so that other clients are served in between. The commit of each turn
/// is discarded, so the next turn sees the watch list as it is on disk by then. The result is the same, because the
/// portions of a reload contain each address once.
extension Keeper {
    /// Returns the response that a removal of these addresses would get now, apart from the permission.
    ///
    /// - Parameter addresses: at most `Limits.stayingAddresses`, so that one turn is enough.
    func previewRemoval(of addresses: [IPAddress]) -> Response {
        var (seen, removed, staying) = (Set<IPAddress>(), 0, [IPAddress]())
        for address in addresses where seen.insert(address).inserted {
            guard let slot = slots.index(of: address).map({ slots.peek($0) }), slot.isWatched else {
                return .refused(.notWatched(address))
            }
            if slot.isByFile || slot.isByName { staying.append(address) } else { removed += 1 }
        }
        return .removed(removed, staying: staying)
    }

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
