/*
 * The lease of a fleet's leader, takeovers, and calls for one address, with clocks that run at different rates.
 *
 * Time. A step of the clock is one moment in which any number of things happen. Each step advances each node's clock by
 * 2 or 3 seconds, chosen anew for each node and step: rates within 12:8. A node that takes no step while the clock
 * advances is frozen, busy, or waits for a slow network, so every delay and every freeze between two steps occurs. With
 * URGENT, nodes that can act do so before the clock advances; deaths and outages are then the only faults.
 *
 * No counters. Terms and beats are not stored as numbers, which would bound the runs, but as relations: whether the row
 * still is what a node has seen, and whether the row's term is the one that a node has won.
 *
 * Configurations: none (safety), OUTAGE, LIVE and HIDDEN. scripts/model lists them with their mutants.
 */
#ifndef N
#define N 2
#endif

/* Seconds, as in the protocol; the timeout of a call is shorter than the real one. */
#define LEASE 6
#define SILENCE 9
#define BEAT 2
#ifdef GAP_TOO_SHORT
#define GAP 2
#else
#define GAP 3
#endif
#define PERMIT 2
#define TIMEOUT 6
#if defined(NO_WAIT) || defined(HIDDEN)
#define WAIT 0
#else
#define WAIT 12 /* (PERMIT + TIMEOUT) * 3 / 2 */
#endif

#if defined(OUTAGE) || defined(LIVE)
#define URGENT
#elif !defined(PLAIN)
#define CALLS
#endif

mtype = { follower, candidate, elected, leader }

mtype role[N];
/* The term in the row is the last one that this node won. */
bit mine[N];
/* Time since the last successful heartbeat was sent. */
byte lease[N];
/* A heartbeat: 0 none, 1 sent, 2 succeeded, 3 refused; the time since it was sent; whether its term is the row's. */
byte beat[N], beatAge[N];
bit beatMine[N];
/* Time since the reply that first showed the row as it was last seen, and since the last reply. */
byte silence[N], gap[N];
/* A read: 0 none, 1 sent, 2 executed. Whether the row is still what was last seen, what the reply shows, and whether
   the reply shows what was last seen. */
byte reading[N];
bit seenNow[N], replyNow[N], replySeen[N];
/* A takeover: 0 none, 1 sent, 2 won, 3 refused; whether its condition still holds. */
byte takeover[N];
bit takeoverNow[N];
/* Whether the database can be reached. */
bit up = 1;
bit dead0;

#ifdef CALLS
/* Time since the reply to the takeover. */
byte wait[N];
bit applied[N], knows[N];
/* The call: 0 none, 1 checked and about to be sent, 2 sent, 3 replied. */
byte call[N], callAge[N];
bit wasValid[N], late[N];
/* The node has stopped leading since it sent the call. */
bit orphan[N];
/* The outcome of a call is committed. */
bit journal;
#endif
#ifdef HIDDEN
/* A pause of node 0 that its clock does not show: 0 none yet, 1 paused, 2 over; its own time since then. */
byte pause, resumed;
#define awake(n) (n != 0 || pause != 1)
#else
#define awake(n) true
#endif
#ifdef SILENCE_FROM_REQUEST
byte readAge[N];
#endif
#ifdef TAKEOVER_IGNORES_BEAT
bit takeoverTerm[N];
#define holds(n) takeoverTerm[n]
#else
#define holds(n) takeoverNow[n]
#endif
#ifdef LIVE
/* Steps of the clock since anyone led while the database could be reached. */
byte leaderless;
#endif

#define alive(n) (n != 0 || !dead0)
#define leads(n) (alive(n) && role[n] == leader && lease[n] < LEASE)
#define isLeading(n) (role[n] == leader || role[n] == elected)
#ifdef NO_PERMIT
#define mayCall(n) (role[n] == leader && lease[n] < LEASE)
#else
#ifdef CALL_UNCHECKED
#define mayCall(n) (role[n] == leader)
#else
#define mayCall(n) (role[n] == leader && lease[n] < PERMIT)
#endif
#endif
#define isValid(n) (role[n] == leader && lease[n] < PERMIT)

inline rowChanged() {
    for (k : 0 .. N - 1) {
        seenNow[k] = 0; replyNow[k] = 0; takeoverNow[k] = 0
    }
    k = 0
}

/* The node no longer leads or wants to lead; it has not read the row lately. */
inline follow(n) {
    role[n] = follower; lease[n] = LEASE; beat[n] = 0; beatAge[n] = 0; beatMine[n] = 0;
    takeover[n] = 0; takeoverNow[n] = 0; silence[n] = 0; gap[n] = GAP + 1;
#ifdef CALLS
    wait[n] = 0; applied[n] = 0; knows[n] = 0; wasValid[n] = 0;
    /* A call that was sent goes on, but its outcome is of no use. */
    call[n] = (call[n] == 2 -> 2 : 0); orphan[n] = (call[n] == 2);
#endif
}

inline stopReading(n) {
    reading[n] = 0; seenNow[n] = 0; replyNow[n] = 0; replySeen[n] = 0; silence[n] = 0; gap[n] = 0;
#ifdef SILENCE_FROM_REQUEST
    readAge[n] = 0;
#endif
}

proctype Node(byte n) {
    byte k;
    do
    /* Heartbeats. */
    :: d_step { awake(n) && alive(n) && isLeading(n) && beat[n] == 0 && (role[n] == elected || lease[n] >= BEAT) ->
        beat[n] = 1; beatAge[n] = 0; beatMine[n] = mine[n] }
    :: d_step { up && beat[n] == 1 ->
        if
        :: beatMine[n] -> beat[n] = 2; rowChanged()
        :: else -> beat[n] = 3
        fi }
    :: d_step { awake(n) && alive(n) && beat[n] == 2 ->
#ifdef LEASE_FROM_REPLY
        lease[n] = 0;
#else
        lease[n] = beatAge[n];
#endif
        if
        :: lease[n] < LEASE -> role[n] = leader
        :: else -> skip
        fi;
        beat[n] = 0; beatAge[n] = 0; beatMine[n] = 0;
#ifndef HIDDEN
        for (k : 0 .. N - 1) { assert(k == n || !leads(k) || !leads(n)) }
        k = 0
#endif
        }
    :: d_step { awake(n) && alive(n) && beat[n] == 3 -> follow(n) }
#ifndef URGENT
    :: d_step { beat[n] != 0 -> beat[n] = 0; beatAge[n] = 0; beatMine[n] = 0 }
#endif

    /* Reads. */
#ifdef SILENCE_FROM_REQUEST
    :: d_step { awake(n) && alive(n) && role[n] == follower && reading[n] == 0 -> reading[n] = 1; readAge[n] = 0 }
    :: d_step { up && reading[n] == 1 -> reading[n] = 2; replyNow[n] = 1; replySeen[n] = seenNow[n] }
#else
    :: d_step { awake(n) && alive(n) && up && role[n] == follower && reading[n] == 0 && gap[n] > 0 ->
        reading[n] = 2; replyNow[n] = 1; replySeen[n] = seenNow[n] }
#endif
    :: d_step { awake(n) && alive(n) && reading[n] == 2 ->
        if
#ifdef OUTAGE_TAKEOVER
        :: !replySeen[n] ->
#else
        :: !replySeen[n] || gap[n] > GAP ->
#endif
#ifdef SILENCE_FROM_REQUEST
            silence[n] = readAge[n]
#else
            silence[n] = 0
#endif
        :: else -> skip
        fi;
        gap[n] = 0; seenNow[n] = replyNow[n]; reading[n] = 0; replyNow[n] = 0; replySeen[n] = 0;
#ifdef SILENCE_FROM_REQUEST
        readAge[n] = 0
#endif
        }
#ifndef URGENT
    :: d_step { reading[n] != 0 -> reading[n] = 0; replyNow[n] = 0; replySeen[n] = 0 }
#endif

    /* Takeovers. */
#if defined(STALE_SILENCE) || defined(OUTAGE_TAKEOVER)
    :: d_step { awake(n) && alive(n) && role[n] == follower && silence[n] >= SILENCE ->
#else
    :: d_step { awake(n) && alive(n) && role[n] == follower && silence[n] >= SILENCE && gap[n] <= GAP ->
#endif
        role[n] = candidate; takeover[n] = 1; k = seenNow[n]; stopReading(n); takeoverNow[n] = k; k = 0;
#ifdef TAKEOVER_IGNORES_BEAT
        takeoverTerm[n] = 1
#endif
        }
    :: d_step { up && takeover[n] == 1 ->
        if
        :: holds(n) ->
            takeover[n] = 2;
#ifdef OUTAGE
            /* Nothing but outages for all has happened: the leader is able to lead. */
            assert(false);
#endif
            for (k : 0 .. N - 1) {
                mine[k] = 0; beatMine[k] = 0;
#ifdef TAKEOVER_IGNORES_BEAT
                takeoverTerm[k] = 0;
#endif
            }
            mine[n] = 1; k = 0;
            rowChanged()
        :: else -> takeover[n] = 3
        fi }
    :: d_step { awake(n) && alive(n) && takeover[n] == 2 -> role[n] = elected; takeover[n] = 0; lease[n] = LEASE }
    :: d_step { awake(n) && alive(n) && takeover[n] == 3 -> follow(n) }
#ifndef URGENT
    :: d_step { takeover[n] != 0 -> follow(n) }
#endif
#if !defined(URGENT) && !defined(HIDDEN)
    /* A restart. The row may still name this node, with its earlier epoch. */
    :: d_step { awake(n) && isLeading(n) -> follow(n); stopReading(n); gap[n] = GAP + 1 }
#ifdef EPOCH_IGNORED
    :: d_step { awake(n) && role[n] == follower && mine[n] -> stopReading(n); role[n] = elected; wait[n] = WAIT }
#endif
#endif

#ifdef CALLS
    /* Calls. */
    :: d_step { awake(n) && up && isLeading(n) && !applied[n] -> applied[n] = 1; knows[n] = journal }
#ifdef CALL_UNAPPLIED
    :: d_step { awake(n) && call[n] == 0 && mayCall(n) && wait[n] >= WAIT && !knows[n] ->
#else
    :: d_step { awake(n) && call[n] == 0 && mayCall(n) && wait[n] >= WAIT && applied[n] && !knows[n] ->
#endif
        call[n] = 1; wasValid[n] = isValid(n) }
    :: d_step { awake(n) && call[n] == 1 ->
        call[n] = 2; callAge[n] = 0;
        /* The documented bound: the node was paused between the check and this step. */
        late[n] = wasValid[n] && !isValid(n); wasValid[n] = 0;
#ifdef HIDDEN
        /* It is bounded by the two seconds even if the pause cannot be noticed. */
        assert(late[n] || mine[n] || (n == 0 && pause == 2 && resumed < PERMIT));
        call[n] = 0; late[n] = 0
#else
        if
        :: !late[n] ->
            assert(mine[n]);
            assert(!journal);
            for (k : 0 .. N - 1) { assert(k == n || call[k] != 2 || late[k]) }
            k = 0
        :: else -> skip
        fi
#endif
        }
    /* A node that leads again does not repeat a call that it sent earlier and that is still in flight. */
    :: d_step { call[n] == 2 && orphan[n] && !late[n] && mayCall(n) && wait[n] >= WAIT && applied[n] && !knows[n] ->
        assert(false) }
    /* A reply is lost with a node that no longer leads. */
    :: d_step { awake(n) && call[n] == 2 -> call[n] = (orphan[n] -> 0 : 3); callAge[n] = 0; late[n] = 0; orphan[n] = 0 }
    :: d_step { call[n] == 2 && callAge[n] >= TIMEOUT -> call[n] = 0; callAge[n] = 0; late[n] = 0; orphan[n] = 0 }
    :: d_step { up && call[n] == 3 ->
        call[n] = 0;
        if
        :: mine[n] && isLeading(n) -> journal = 1; knows[n] = 1
        :: else -> skip
        fi }
#endif
    od
}

/* Whether a node still has something to do before time passes. */
#define busyLeader(n) (alive(n) && isLeading(n) && up && (beat[n] != 0 || role[n] == elected || lease[n] >= BEAT))
#define busyReader(n) (up && role[n] == follower && (gap[n] > 0 || reading[n] != 0))
#if defined(STALE_SILENCE) || defined(OUTAGE_TAKEOVER)
#define busyCandidate(n) (up && takeover[n] != 0 || role[n] == follower && silence[n] >= SILENCE)
#else
#define busyCandidate(n) (up && takeover[n] != 0 || role[n] == follower && silence[n] >= SILENCE && gap[n] <= GAP)
#endif
#define busy(n) (alive(n) && (busyLeader(n) || busyReader(n) || busyCandidate(n)))

#ifdef CALLS
#define isCallOver(n) (call[n] == 2 && callAge[n] >= TIMEOUT)
#else
#define isCallOver(n) false
#endif
#if N == 2
#define anyBusy (busy(0) || busy(1))
#define anyLeads (leads(0) || leads(1))
#define anyCallOver (isCallOver(0) || isCallOver(1))
#else
#define anyBusy (busy(0) || busy(1) || busy(2))
#define anyLeads (leads(0) || leads(1) || leads(2))
#define anyCallOver (isCallOver(0) || isCallOver(1) || isCallOver(2))
#endif

#define advance(watch, limit) watch = (watch + rate > limit -> limit : watch + rate)

/* Lets time pass for all nodes; the clock of node k advances by 2 seconds, or by 3 if bit k of fast is set. */
inline pass(fast) {
    for (n : 0 .. N - 1) {
        rate = 2 + ((fast >> n) & 1);
#ifdef HIDDEN
        if
        :: n == 0 && pause == 1 -> rate = 0
        :: n == 0 && pause == 2 -> advance(resumed, PERMIT)
        :: else -> skip
        fi;
#endif
        if
        :: isLeading(n) ->
#ifdef CALLS
            advance(wait[n], WAIT);
#endif
            advance(lease[n], LEASE)
        :: role[n] == follower -> advance(silence[n], SILENCE); advance(gap[n], GAP + 1)
        :: else -> skip
        fi;
        if
        :: beat[n] != 0 -> advance(beatAge[n], LEASE)
        :: else -> skip
        fi;
#ifdef SILENCE_FROM_REQUEST
        if
        :: reading[n] != 0 -> advance(readAge[n], SILENCE)
        :: else -> skip
        fi;
#endif
#ifdef CALLS
        if
        :: call[n] == 2 -> advance(callAge[n], TIMEOUT)
        :: else -> skip
        fi;
#endif
    }
    n = 0; rate = 0;
#ifdef LIVE
    leaderless = (!up || anyLeads -> 0 : leaderless + 1);
    /* At most 12 seconds, even if all clocks are slow. */
    assert(leaderless * 2 <= 12);
#endif
}

#ifdef URGENT
/* An outage for all lasts for at least one step of the clock; the requests in flight are lost with it. */
#define step(fast) \
    :: d_step { !anyBusy -> pass(fast); up = 1 } \
    :: d_step { !anyBusy -> pass(fast); up = 0 }
#else
#define step(fast) :: d_step { !anyCallOver -> pass(fast) }
#endif

proctype Clock() {
    byte n, rate;
    do
    step(0)
    step(1)
    step(2)
    step(3)
#if N == 3
    step(4)
    step(5)
    step(6)
    step(7)
#endif
#ifdef LIVE
    :: d_step { !dead0 -> dead0 = 1; follow(0); stopReading(0); mine[0] = 0 }
#endif
#ifdef HIDDEN
    :: d_step { pause == 0 -> pause = 1 }
    :: d_step { pause == 1 -> pause = 2; resumed = 0 }
#endif
    od
}

init {
    atomic {
        byte n;
        for (n : 0 .. N - 1) {
            role[n] = follower; lease[n] = LEASE; gap[n] = GAP + 1
        }
        role[0] = leader; mine[0] = 1; lease[0] = 0; gap[0] = 0;
#ifdef CALLS
        wait[0] = WAIT; applied[0] = 1;
#endif
        for (n : 0 .. N - 1) { run Node(n) }
        n = 0;
        run Clock()
    }
}

#ifdef LIVE
/* If the database can be reached for good, there is a leader again and again. */
ltl live { (<>[] up) -> ([]<> anyLeads) }
#endif
