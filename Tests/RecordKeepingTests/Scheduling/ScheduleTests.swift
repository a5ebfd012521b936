import Testing

@testable import RecordKeeping

@Suite struct ScheduleTests {
    @Test func `the heap agrees with a sorted array`() {
        var random = Random(seed: 3)
        var schedule = Schedule()
        var model: [Int: Int64] = [:]
        func minimum() -> Int? { model.min { ($0.value, $0.key) < ($1.value, $1.key) }?.key }

        for _ in 0..<20_000 {
            let id = Int.random(in: 0..<60, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                let deadline = Int64.random(in: 0..<50, using: &random)
                schedule.set(id, to: BootTime(nanoseconds: deadline))
                model[id] = deadline
            case 2:
                schedule.remove(id)
                model[id] = nil
            default:
                let expected = minimum()
                let popped = schedule.popFirst()
                #expect(popped == expected)
                if let expected { model[expected] = nil }
            }
            #expect(schedule.count == model.count)
            #expect(schedule.first == minimum())
            #expect(schedule.deadline(of: id)?.nanoseconds == model[id])
            let odd = model.filter { $0.key % 2 == 1 }.map(\.value).min()
            #expect(schedule.earliest { $0 % 2 == 1 }?.nanoseconds == odd)
        }
    }

    @Test(arguments: 1...UInt64(4)) func `the deadlines before a time are counted as in a dictionary`(seed: UInt64) {
        var random = Random(seed: seed)
        var schedule = Schedule()
        var model: [Int: Int64] = [:]
        // Four children make a heap of three full levels and a part of the fourth.
        for _ in 0..<4_000 {
            let id = Int.random(in: 0..<60, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1, 2:
                let deadline = Int64.random(in: 0..<50, using: &random)
                schedule.set(id, to: BootTime(nanoseconds: deadline))
                model[id] = deadline
            case 3:
                schedule.remove(id)
                model[id] = nil
            default:
                if let popped = schedule.popFirst() { model[popped] = nil }
            }
            let limit = Int64.random(in: -1...51, using: &random)
            let (maximum, checked) = (Int.random(in: 0..<70, using: &random), Int.random(in: 0..<70, using: &random))
            let divisor = Int.random(in: 1...4, using: &random)
            let before = model.filter { $0.value < limit }
            let matches = before.keys.count { $0.isMultiple(of: divisor) }
            var seen: [Int] = []
            let end = BootTime(nanoseconds: limit)
            let count = schedule.count(before: end, atMost: maximum, checking: checked) {
                seen.append($0)
                return $0.isMultiple(of: divisor)
            }
            // If there are more ids than may be checked, the result is the maximum.
            #expect(count == (before.count > checked ? maximum : min(maximum, matches)))
            #expect(seen.count <= checked && Set(seen).count == seen.count && seen.allSatisfy { before[$0] != nil })
            let all = schedule.count(before: end, atMost: .max, checking: .max) { $0.isMultiple(of: divisor) }
            #expect(all == matches)
        }
    }

    @Test func `only due elements are popped`() {
        func pop(_ schedule: inout Schedule, _ nanoseconds: Int64) -> Int? {
            schedule.popDue(at: BootTime(nanoseconds: nanoseconds))
        }
        var schedule = Schedule()
        schedule.set(1, to: BootTime(nanoseconds: 10))
        schedule.set(2, to: BootTime(nanoseconds: 20))
        #expect(pop(&schedule, 9) == nil)
        #expect(pop(&schedule, 10) == 1)
        #expect(pop(&schedule, 19) == nil)
        #expect(schedule.earliest == BootTime(nanoseconds: 20))
    }

    @Test func `every timer has a unique id, from which it can be restored`() {
        let timers = TimerID.fixed + (0..<5).flatMap { [.entry(slot: $0), .caller(index: $0)] }
        #expect(Set(timers.map(\.id)).count == timers.count)
        #expect(timers.map { TimerID(id: $0.id) } == timers)
    }

    @Test func `the backoff doubles up to its cap, and is at least half of that value`() {
        var random = Random(seed: 5)
        let backoff = Backoff(cap: .seconds(60))
        for (attempts, whole) in [(1, 1), (2, 2), (3, 4), (6, 32), (7, 60), (500, 60)] {
            for _ in 0..<200 {
                let delay = backoff.delay(afterAttempts: attempts, random: &random)
                #expect(delay >= .seconds(whole) / 2 && delay <= .seconds(whole))
            }
        }
    }
}
