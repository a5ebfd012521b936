/*
 * Transactions of the leader, takeovers, and commits whose answer is lost.
 *
 * There are no clocks: a node may take over at any moment, and it may be frozen for any time between two steps. So the
 * fence alone must keep a deposed leader from committing. The database is one row, the operation ids and the journal,
 * with the locks of PostgreSQL under READ COMMITTED: a fence shares the row's key, and a takeover changes the key.
 *
 * scripts/model lists the mutants.
 */
#define NODES 2
#ifndef OPERATIONS
#define OPERATIONS 2
#endif
#ifndef MAX_TERM
#define MAX_TERM 3
#endif
#define NOBODY 3

/* The row, and its locks: the node that holds it exclusively, and the number of transactions that share its key. */
byte term = 1, leaderID = 0, incarnation = 1;
byte exclusive = NOBODY, shares;

/* The operation ids in the database. A transaction that is in progress has inserted its id. */
mtype = { absent, inserted, committed, void }
mtype operation[OPERATIONS + 1] = absent;
/* The operation of each number; number 0 is the beginning. */
byte journal[OPERATIONS + 1], last;

/* The transactions of each node: two can be in progress, because the node can give up waiting for one of them. */
#define slot(n, s) (2 * n + s)
mtype = { none, commit, probe }
mtype kind[4] = none;
byte operationOf[4], termOf[4], incarnationOf[4], numberOf[4], previousOf[4];
/* The node waits for the answer. */
bit isAwaited[4];
mtype = { nothing, succeeded, conflict, leaseLost, misnumbered, foundCommitted, foundVoid }
mtype answer[NODES] = nothing;

/* Operations that the node has reported to its client as failed. */
bit reportedFailed[OPERATIONS + 1];
byte nextOperation = 1;

#define reply(value) answer[n] = (isAwaited[x] -> value : answer[n])

#ifdef NO_TERM
#define isFenced(x) (leaderID == n && incarnation == incarnationOf[x])
#else
#define isFenced(x) (leaderID == n && incarnation == incarnationOf[x] && term == termOf[x])
#endif
#ifdef FENCE_WITHOUT_LOCK
#define SHARE 0
#else
#define SHARE 1
#endif

/* The server's process for one transaction of node n, which is one message: the server completes it by itself. */
proctype Server(byte n, x) {
    bit hasShare, hasInserted, isOver;
    do
    :: kind[x] != none ->
        if
        /* The fence, and the operation id. The fence waits for a takeover that is in progress, and the insertion of the
           id for another transaction that has inserted it. */
        :: d_step { exclusive == NOBODY && operation[operationOf[x]] != inserted ->
            if
            :: isFenced(x) -> shares = shares + SHARE; hasShare = SHARE
#ifdef FENCE_SILENT
            :: else -> skip
#else
            :: else -> reply(leaseLost); isOver = 1
#endif
            fi;
            if
            :: isOver -> skip
            :: !isOver && operation[operationOf[x]] == absent ->
                operation[operationOf[x]] = inserted; hasInserted = 1
            :: !isOver && operation[operationOf[x]] == committed && kind[x] == probe ->
                reply(foundCommitted); isOver = 1
            :: !isOver && operation[operationOf[x]] == void && kind[x] == probe ->
#ifdef VOID_IS_COMMITTED
                /* The rule taken literally: the id exists, so the operation was committed. */
                reply(foundCommitted); isOver = 1
#else
                reply(foundVoid); isOver = 1
#endif
            :: !isOver && operation[operationOf[x]] != absent && kind[x] == commit -> reply(conflict); isOver = 1
            fi }
        /* The connection has ended before the message arrived. */
        :: d_step { !isAwaited[x] -> isOver = 1 }
        fi;
        d_step {
            if
            /* The end. */
            :: isOver -> skip
            /* The journal's row names its number and its predecessor. */
            :: !isOver && kind[x] == commit &&
                (numberOf[x] != last + 1 || journal[last] != previousOf[x]) -> reply(misnumbered)
            :: !isOver && kind[x] == commit && numberOf[x] == last + 1 && journal[last] == previousOf[x] ->
                /* The transaction commits in its own term, as long as no takeover has been committed. */
                assert(termOf[x] == term && incarnationOf[x] == incarnation);
                assert(!reportedFailed[operationOf[x]]);
                last++; journal[last] = operationOf[x];
                operation[operationOf[x]] = committed; hasInserted = 0; reply(succeeded)
            :: !isOver && kind[x] == probe ->
                operation[operationOf[x]] = void; hasInserted = 0; reply(foundVoid)
            fi;
            operation[operationOf[x]] = (hasInserted -> absent : operation[operationOf[x]]);
            shares = shares - hasShare;
            hasShare = 0; hasInserted = 0; isOver = 0;
            kind[x] = none; operationOf[x] = 0; termOf[x] = 0; incarnationOf[x] = 0; numberOf[x] = 0;
            previousOf[x] = 0; isAwaited[x] = 0
        }
    od
}

inline send(transaction, number, before) {
    d_step {
        if
        :: kind[slot(n, 0)] == none -> x = slot(n, 0)
        :: else -> x = slot(n, 1)
        fi;
        kind[x] = transaction; operationOf[x] = o; termOf[x] = myTerm; incarnationOf[x] = myIncarnation;
        numberOf[x] = number; previousOf[x] = before; isAwaited[x] = 1; x = 0
    }
}

/* The connection is lost, or the answer takes too long. */
inline giveUp() {
    answer[n] = nothing; isAwaited[slot(n, 0)] = 0; isAwaited[slot(n, 1)] = 0
}

#define canSend (kind[slot(n, 0)] == none || kind[slot(n, 1)] == none)
#define reportFailed(o) assert(operation[o] != committed); reportedFailed[o] = 1

proctype Node(byte n) {
    byte myTerm, myLast, myPrevious, myIncarnation, o, x;
    if
    :: n == 0 -> myTerm = 1; myIncarnation = 1; goto lead
    :: n != 0 -> goto follow
    fi;

follow:
#ifdef SEQUENCE_EARLY
    skip;
    d_step { myLast = last; myPrevious = journal[last] }
#endif
    if
    /* A takeover: the update waits for the fences of open transactions. */
    :: d_step { exclusive == NOBODY && shares == 0 && term < MAX_TERM -> exclusive = n; o = 0 }
    /* The node has seen another timeline, or misses commits: in a new incarnation, no earlier term is valid. */
#ifdef INCARNATION_WITHOUT_TERM
    :: d_step { exclusive == NOBODY && incarnation == 1 -> incarnation++ }
#else
    :: d_step { exclusive == NOBODY && shares == 0 && incarnation == 1 && term < MAX_TERM ->
        incarnation++; term++; leaderID = NOBODY }
#endif
        goto follow
    fi;
    /* The last number is read by a later statement of the same transaction. */
    d_step {
#ifndef SEQUENCE_EARLY
        myLast = last; myPrevious = journal[last];
#endif
        term++; leaderID = n; exclusive = NOBODY; myTerm = term; myIncarnation = incarnation }
    if
    :: goto lead
    :: goto follow /* the answer was lost */
    fi;

lead:
    if
    :: goto follow /* a restart, or the end of the lease */
    :: d_step { nextOperation <= OPERATIONS && canSend -> o = nextOperation; nextOperation++ }
    fi;
    send(commit, myLast + 1, myPrevious);
    if
    :: d_step { answer[n] == succeeded -> answer[n] = nothing }
        goto isCommitted
    :: d_step { answer[n] == leaseLost -> answer[n] = nothing; reportFailed(o) }
        goto follow
    :: d_step { answer[n] == conflict || answer[n] == misnumbered -> assert(false) }
    :: d_step { answer[n] == nothing -> giveUp() }
    fi;
#ifdef UNANSWERED_IS_FAILED
    d_step { reportFailed(o) }
    goto lead;
#endif

learn:
    if
    :: goto follow /* the client gets no answer */
    :: canSend
    fi;
    send(probe, 0, 0);
    if
    :: d_step { answer[n] == foundCommitted -> answer[n] = nothing }
        goto isCommitted
    :: d_step { answer[n] == foundVoid -> answer[n] = nothing; reportFailed(o) }
        goto lead
    :: d_step { answer[n] == leaseLost -> answer[n] = nothing;
        /* The takeover has waited for the transaction, so a read shows its outcome. */
        assert(operation[o] != inserted);
        if
        :: operation[o] != committed -> reportFailed(o)
        :: else -> skip
        fi }
        goto follow
#ifdef TIMEOUT_IS_FAILURE
    :: d_step { answer[n] == nothing && operation[o] == inserted -> giveUp(); reportFailed(o) }
        goto lead
#endif
    :: d_step { answer[n] == nothing -> giveUp() }
        goto learn
    fi;

isCommitted:
    skip;
    d_step { assert(operation[o] == committed); myLast++; myPrevious = o }
    goto lead
}

init {
    atomic {
        run Node(0);
        run Node(1);
        run Server(0, 0);
        run Server(0, 1);
        run Server(1, 2);
        run Server(1, 3)
    }
}
