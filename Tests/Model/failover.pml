/*
 * Failover to a standby, restore from a backup, and the incarnations of a fleet.
 *
 * The database is its write-ahead log. A record is flushed, replicated to the standby, and visible to other
 * transactions. With a synchronous standby, a record becomes visible, and its commit is answered, once it has been
 * replicated; but a server that crashes and recovers shows all that it has flushed. Every transaction that writes waits
 * for the earlier ones, because all of them lock the same row or the same operation id.
 *
 * There are no clocks: a node may take over at any moment. commit.pml covers the locks, and lease.pml the clocks.
 * Configurations: none (a synchronous standby), ASYNC (promotion may lose the end of the log), RESTORE (the database
 * returns to an earlier state twice, each time on a new timeline), ROLLBACK (it returns to an earlier state once, and
 * keeps its timeline, like a virtual machine that is reset). scripts/model lists them with their mutants.
 */
#define NODES 2
#define OPERATIONS 3
#ifndef LENGTH
#define LENGTH 6
#endif
#define NOBODY 3
#ifdef RESTORE
#define RESTORES 2
#else
#define RESTORES 1
#endif

/* A row of the journal, an operation that will never be committed, a takeover, a new incarnation, another write. */
mtype = { blank, journaled, void, takeover, incarnation, write }
mtype record[LENGTH] = blank;
/* The operation, the leader, or the incarnation. */
byte value[LENGTH];
/* The timeline that a record of a new incarnation names, and the random id of the incarnation. */
byte named[LENGTH], identity[LENGTH];
byte nextIdentity = 2;
byte flushed, replicated, visible;
/* The server's own timeline. */
byte timeline = 1;
bit hasPromoted, hasCrashed;
byte restores;

/* What the database shows; 0 between two steps. */
byte term, leaderID, inc, incID, rowTimeline, last, lastOperation, k;
bit exists;

/* What each node knows: whether it is connected, whether it leads and in which term and incarnation, the last number
   that it has committed or applied and its operation, and the highest incarnation that it has seen, with its id. */
bit isConnected[NODES], isLeading[NODES];
byte myTerm[NODES], myIncarnation[NODES], myLast[NODES], myOperation[NODES], highest[NODES], highestID[NODES];
/* The operation whose outcome it does not know yet, or has not reported yet. */
byte pending[NODES];

byte nextOperation = 1;
bit acknowledged[OPERATIONS + 1], reportedFailed[OPERATIONS + 1];
/* The operation that was committed under each number of each incarnation. */
byte used[24];

/* Reads the row, the end of the journal, and whether operation o is in the journal. */
inline look(o) {
    term = 1; leaderID = 0; inc = 1; incID = 1; rowTimeline = 1; last = 0; lastOperation = 0; exists = 0;
    for (k : 0 .. LENGTH - 1) {
        if
        :: k < visible && record[k] == journaled ->
            last++; lastOperation = value[k];
            exists = exists || value[k] == o
        :: k < visible && record[k] == takeover -> term++; leaderID = value[k]
        :: k < visible && record[k] == incarnation ->
            term++; leaderID = NOBODY; inc = value[k]; incID = identity[k]; rowTimeline = named[k]
        :: else -> skip
        fi
    }
}

inline forget() {
    term = 0; leaderID = 0; inc = 0; incID = 0; rowTimeline = 0; last = 0; lastOperation = 0; exists = 0; k = 0
}

inline append(type, argument) {
    record[flushed] = type; value[flushed] = argument; flushed++;
#ifdef ASYNC
    visible = flushed
#else
    visible = (hasPromoted || restores > 0 -> flushed : visible)
#endif
}

/* Whether the operation is in the log, visible or not. */
inline search(o) {
    exists = 0;
    for (k : 0 .. LENGTH - 1) { exists = exists || (k < flushed && record[k] == journaled && value[k] == o) }
    k = 0
}

inline acknowledge(o) {
    search(o);
    assert(exists);
    acknowledged[o] = 1; exists = 0
}

inline stopLeading(n) {
    isLeading[n] = 0; myTerm[n] = 0; myIncarnation[n] = 0
}

#define canWrite(n) (isConnected[n] && visible == flushed && flushed < LENGTH)
#define answered (isConnected[n] && position < visible)

#ifdef TIMELINE_IGNORED
#define isOtherServer false
#else
#define isOtherServer (rowTimeline != timeline)
#endif
/* The database lacks commits that the node has. */
#ifdef NUMBERS_UNCHECKED
#define misses(n) false
#else
#define misses(n) (myLast[n] > last || (myLast[n] == last && myOperation[n] != lastOperation))
#endif
#define nextIncarnation ((inc > highest[n] -> inc : highest[n]) + 1)
/* The row names an incarnation that is older than the one that the node knows, or another one of the same number. */
#define isOtherIncarnation(n) (inc < highest[n] || (inc == highest[n] && incID != highestID[n]))

proctype Node(byte n) {
    byte position;
    goto idle;

connect:
    skip;
    /* The node compares the row with the server and with what it knows. Without an answer, it connects again. */
    d_step { !isConnected[n] && visible == flushed && flushed < LENGTH ->
        isConnected[n] = 1; position = LENGTH;
        look(0);
        if
        :: isOtherServer || misses(n) || isOtherIncarnation(n) ->
            /* Commits are gone, or may be gone: what the node has acknowledged stays visible as lost. */
            highest[n] = nextIncarnation; position = flushed;
            named[flushed] = timeline;
#ifdef INCARNATION_WITHOUT_ID
            identity[flushed] = highest[n];
#else
            identity[flushed] = nextIdentity; nextIdentity++;
#endif
            highestID[n] = identity[flushed]; append(incarnation, highest[n]);
            stopLeading(n); myLast[n] = 0; myOperation[n] = 0
        :: else -> highest[n] = inc; highestID[n] = incID
        fi;
        forget() }
    if
    :: position == LENGTH
    :: position < LENGTH && answered
    :: !isConnected[n] -> goto connect
    fi;
    d_step { position = 0 }
    if
    :: pending[n] != 0 -> goto learn
    :: pending[n] == 0
    fi;

idle:
    if
    :: !isConnected[n] -> goto connect
    :: d_step { canWrite(n) && !isLeading[n] -> look(0);
        highestID[n] = (inc > highest[n] -> incID : highestID[n]);
        highest[n] = (inc > highest[n] -> inc : highest[n]);
        myTerm[n] = term + 1; myIncarnation[n] = incID; myLast[n] = last; myOperation[n] = lastOperation;
        forget(); position = flushed; append(takeover, n) }
        if
        :: d_step { answered -> isLeading[n] = 1; position = 0 }
        :: d_step { !answered -> isConnected[n] = 0; position = 0 }
        fi;
        goto idle
    :: d_step { canWrite(n) && isLeading[n] && nextOperation <= OPERATIONS ->
        look(0);
        if
        :: term != myTerm[n] || incID != myIncarnation[n] || leaderID != n -> stopLeading(n); position = LENGTH
        /* The number or the predecessor is not the expected one: commits are gone. */
        :: term == myTerm[n] && incID == myIncarnation[n] && leaderID == n && misses(n) ->
            isConnected[n] = 0; position = LENGTH
        :: else ->
            pending[n] = nextOperation; nextOperation++; position = flushed;
            assert(!reportedFailed[pending[n]]);
            /* No gap, no number twice in an incarnation, no commit before a failover has been noticed. */
            assert(myLast[n] == last && myOperation[n] == lastOperation);
            assert(rowTimeline == timeline);
#ifndef ROLLBACK
            assert(used[incID * 4 + last] == 0);
            used[incID * 4 + last] = pending[n];
#endif
            append(journaled, pending[n])
        fi;
        forget() }
        if
        :: d_step { position == LENGTH -> position = 0 }
            goto idle
        :: d_step { position < LENGTH && answered ->
            acknowledge(pending[n]);
            myLast[n]++; myOperation[n] = pending[n]; pending[n] = 0; position = 0 }
            goto idle
        :: d_step { position < LENGTH && !answered -> position = 0 } /* no answer, or the request was lost */
            goto learn
        fi
    /* A follower applies the next rows; its client waits for the last one. */
    :: d_step { isConnected[n] && !isLeading[n] ->
        look(0);
        if
        :: incID == highestID[n] && last > myLast[n] ->
            myLast[n] = last; myOperation[n] = lastOperation; pending[n] = lastOperation
        :: else -> skip
        fi;
        forget() }
        if
        :: pending[n] == 0 -> goto idle
        :: pending[n] != 0 -> goto report
        fi
    fi;

report:
    /* A row that a follower can read may not have been replicated: a write of its own waits for the standby. */
#ifdef ACKNOWLEDGED_ON_READING
    skip;
    d_step { acknowledge(pending[n]); pending[n] = 0 }
    goto idle;
#else
    if
    :: d_step { canWrite(n) -> look(pending[n]);
        if
        :: exists -> position = flushed; append(write, 0)
        :: else -> position = LENGTH
        fi;
        forget() }
        if
        :: d_step { position < LENGTH && answered -> acknowledge(pending[n]); pending[n] = 0; position = 0 }
            goto idle
        :: d_step { !(position < LENGTH && answered) -> pending[n] = 0; position = 0 } /* the client gets no answer */
            goto idle
        fi
    :: d_step { !isConnected[n] -> pending[n] = 0 }
        goto connect
    fi;
#endif

learn:
    if
    :: !isConnected[n] -> goto connect
    :: d_step { canWrite(n) -> look(pending[n]);
        if
#ifdef PROBE_READS
        :: exists -> position = 0
#else
        :: exists -> position = flushed; append(write, 1)
#endif
        :: else -> position = flushed; append(void, pending[n])
        fi;
        forget() }
        if
        :: d_step { answered && record[position] != void ->
            acknowledge(pending[n]); stopLeading(n); pending[n] = 0; position = 0 }
            goto idle
        :: d_step { answered && record[position] == void ->
            search(pending[n]); assert(!exists); exists = 0;
            reportedFailed[pending[n]] = 1; stopLeading(n); pending[n] = 0; position = 0 }
            goto idle
        :: d_step { !answered -> position = 0 }
            goto learn
        fi
    fi
}

/* The log ends after the first records. */
inline truncate(count) {
    for (k : 0 .. LENGTH - 1) {
        if
        :: k >= count -> record[k] = blank; value[k] = 0; named[k] = 0; identity[k] = 0
        :: else -> skip
        fi
    }
    k = 0; flushed = count; replicated = count; visible = count;
    isConnected[0] = 0; isConnected[1] = 0
}

proctype Servers() {
    byte o, count;
    do
    :: d_step { !hasPromoted && restores == 0 && replicated < flushed ->
        replicated++; visible = (visible > replicated -> visible : replicated) }
    /* The primary crashes and recovers. */
    :: d_step { !hasPromoted && !hasCrashed ->
        hasCrashed = 1; visible = flushed; isConnected[0] = 0; isConnected[1] = 0 }
#if defined(RESTORE) || defined(ROLLBACK)
    :: d_step { restores < RESTORES && count < flushed -> count++ }
    :: d_step { restores < RESTORES -> restores++; truncate(count); count = 0;
#ifdef RESTORE
        timeline++
#endif
        }
#else
    /* The standby is promoted, and the primary is gone. */
    :: d_step { !hasPromoted ->
        hasPromoted = 1; timeline++; truncate(replicated);
#ifndef ASYNC
        for (o : 1 .. OPERATIONS) {
            search(o);
            assert(!acknowledged[o] || exists);
            exists = 0
        }
        o = 0
#endif
        }
#endif
    od
}

init {
    atomic {
        isConnected[0] = 1; isConnected[1] = 1; isLeading[0] = 1;
        myTerm[0] = 1; myIncarnation[0] = 1; highest[0] = 1; highest[1] = 1; highestID[0] = 1; highestID[1] = 1;
        run Node(0);
        run Node(1);
        run Servers()
    }
}
