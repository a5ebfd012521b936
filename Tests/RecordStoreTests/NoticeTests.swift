import RecordKeeping
import Testing

@testable import RecordStore

/// That kept notices are read in order and forgotten from their beginning.
@Suite(.timeLimit(.minutes(2))) struct NoticeTests {
    /// A store with notices at these wall times, counted from 1.
    private static func withNotices(at walls: [Int64], _ body: (Store) async throws -> Void) async throws {
        try await TemporaryFolder().withStore { (store) async throws in
            try await store.commit(zip(1..., walls).map { .notice(Sample.notice($0, at: $1)) })
            try await body(store)
        }
    }

    @Test func `the last seq stays when all notices are forgotten, also over a restart`() async throws {
        let folder = try TemporaryFolder()
        try await folder.withStore { (store) async throws in
            try await store.commit((1...9).map { .notice(Sample.notice($0)) })
            try await store.commit([.forgetNotices(before: Sample.now.wall)])
            #expect(try store.restored().lastSeq == 9)
            #expect(try store.restored().oldestSeq == nil)
        }
        try await folder.withStore { (store) async throws in
            #expect(try store.restored().lastSeq == 9)
            try await store.commit([.notice(Sample.notice(10)), .forgetNotices(before: Sample.now.wall)])
            #expect(try store.restored().lastSeq == 10)
        }
    }

    @Test func `a notice is kept from the moment it was forgotten up to, not before`() async throws {
        try await Self.withNotices(at: [99, 100, 101]) { (store) async throws in
            try await store.commit([.forgetNotices(before: WallTime(milliseconds: 100))])
            #expect(try await store.notices(after: 0).map(\.seq) == [2, 3])
            #expect(try store.restored().oldestSeq == 2)
        }
    }

    @Test func `where the clock was set back, only a beginning is forgotten`() async throws {
        try await Self.withNotices(at: [100, 50, 200, 80, 90, 300]) { (store) async throws in
            try await store.commit([.forgetNotices(before: WallTime(milliseconds: 150))])
            #expect(try await store.notices(after: 0).map(\.seq) == [3, 4, 5, 6])
        }
    }

    @Test(arguments: 1...UInt64(6))
    func `whatever the clock did, what is kept has no gaps`(seed: UInt64) async throws {
        var random = Random(seed: seed)
        let walls = (0..<60).map { _ in Int64.random(in: 0...1_000, using: &random) }
        try await Self.withNotices(at: walls) { (store) async throws in
            for before in stride(from: Int64(0), through: 1_001, by: 143) {
                try await store.commit([.forgetNotices(before: WallTime(milliseconds: before))])
                let expected = zip(Int64(1)..., walls).drop { $0.1 < before }.map(\.0)
                #expect(try await store.notices(after: 0).map(\.seq) == expected)
                #expect(try store.restored().oldestSeq == expected.first)
            }
        }
    }

    @Test func `history from before is forgotten with the notices, and counted off`() async throws {
        let address = try Sample.address(1)
        try await TemporaryFolder().withStore { (store) async throws in
            try await store.commit((1...5).map { .notice(Sample.change($0, of: address, at: $0 * 100)) })
            #expect(store.changeCount == 5)
            try await store.commit([.forgetNotices(before: WallTime(milliseconds: 300))])
            #expect(store.changeCount == 3)
            try await store.commit([.forgetNotices(before: WallTime(milliseconds: 300))])
            #expect(store.changeCount == 3)
        }
    }

    @Test func `changes are counted over a restart, and only what has fields is one`() async throws {
        let folder = try TemporaryFolder()
        try await folder.withStore { (store) async throws in
            try await store.commit([
                .notice(Sample.change(1, of: try Sample.address(1))), .notice(Sample.notice(2)),
                .notice(Sample.change(3, of: try Sample.address(2))),
            ])
            #expect(store.changeCount == 2)
        }
        try await folder.withStore { (store) async throws in
            _ = try store.restored()
            #expect(store.changeCount == 2)
        }
    }

    @Test func `pages follow each other without gaps and without repetition`() async throws {
        try await Self.withNotices(at: Array(repeating: 1, count: 50)) { (store) async throws in
            var pages: [[Int64]] = []
            repeat {
                pages.append(try await store.notices(after: pages.last?.last ?? 0, limit: 7).compactMap(\.seq))
            } while pages.last?.isEmpty == false
            #expect(pages.map(\.count) == [7, 7, 7, 7, 7, 7, 7, 1, 0])
            #expect(pages.flatMap { $0 } == Array(1...50))
        }
    }

    @Test func `a page holds at most its limit, and nothing at or before its cursor`() async throws {
        try await Self.withNotices(at: [1, 1, 1, 1, 1]) { (store) async throws in
            #expect(try await store.notices(after: 2, limit: 2).map(\.seq) == [3, 4])
            #expect(try await store.notices(after: 2, limit: 99).map(\.seq) == [3, 4, 5])
            #expect(try await store.notices(after: 2, limit: 0).isEmpty)
            #expect(try await store.notices(after: 5, limit: 2).isEmpty)
            #expect(try await store.notices(after: .max, limit: 2).isEmpty)
        }
    }

    @Test func `a notice that makes no sense is passed over, and the page is filled with those behind it`() async throws
    {
        let folder = try TemporaryFolder()
        try await folder.withStore { (store) async throws in
            try await store.commit((1...8).map { .notice(Sample.notice($0)) })
            try SQLite(folder.database).run(
                """
                UPDATE notice SET kind = 'invented' WHERE seq = 2;
                UPDATE notice SET address = 'nowhere' WHERE seq = 3;
                UPDATE notice SET fields = '[{' WHERE seq = 5;
                """)
            #expect(try await store.notices(after: 0, limit: 3).map(\.seq) == [1, 4, 6])
            #expect(try await store.notices(after: 6, limit: 3).map(\.seq) == [7, 8])
            let page = try await store.noticePage(after: 1, limit: 1)
            #expect(page.notices.map(\.seq) == [4] && page.seqs == 2...4, "no reader takes them for gone")
            #expect(try await store.noticePage(after: 8).seqs == nil)
        }
    }

    @Test func `a seq is given once`() async throws {
        try await Self.withNotices(at: [1]) { (store) async throws in
            await #expect(throws: StoreError.self) { try await store.commit([.notice(Sample.notice(1))]) }
        }
    }
}
