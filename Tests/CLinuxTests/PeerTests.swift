import CLinux
import Glibc
import Testing

@Suite struct PeerTests {
    /// Calls `body` with one end of a connected pair; the other end belongs to this process as well.
    private static func withPair(_ body: (Int32) throws -> Void) throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        try body(ends[0])
    }

    @Test func `a peer is identified by process, user and group`() throws {
        try Self.withPair { descriptor in
            var peer = clinux_peer()
            #expect(clinux_peer_credentials(descriptor, &peer) == 0)
            #expect(peer.process == getpid())
            #expect(peer.user == geteuid())
            #expect(peer.group == getegid())
        }
    }

    @Test func `a peer's supplementary groups are returned, or their number if the buffer is too small`() throws {
        let count = Int(getgroups(0, nil))
        var expected = [gid_t](repeating: 0, count: count)
        #expect(getgroups(Int32(count), &expected) == Int32(count))
        try Self.withPair { descriptor in
            var groups = [gid_t](repeating: 0, count: 256)
            var room = groups.count
            #expect(clinux_peer_groups(descriptor, &groups, &room) == 0)
            #expect(Array(groups.prefix(room)) == expected)
            guard count > 0 else { return }
            room = 0
            #expect(clinux_peer_groups(descriptor, &groups, &room) == -1)
            #expect(errno == ERANGE)
            #expect(room == count)
        }
    }

    @Test func `an invalid descriptor fails with EBADF`() {
        var peer = clinux_peer()
        #expect(clinux_peer_credentials(-1, &peer) == -1)
        #expect(errno == EBADF)
    }

    @Test func `a timer that reports clock steps can be armed`() throws {
        let timer = timerfd_create(CLOCK_REALTIME, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
        try #require(timer >= 0)
        defer { close(timer) }
        var far = itimerspec()
        far.it_value.tv_sec = .max
        let flags = Int32(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)
        #expect(timerfd_settime(timer, flags, &far, nil) == 0)
        var expirations: UInt64 = 0
        #expect(read(timer, &expirations, 8) == -1)
        #expect(errno == EAGAIN)
    }
}
