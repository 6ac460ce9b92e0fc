/*
 * The election of Raft without pre-votes, in terms up to BOUND (2 if not given; at most 3), with
 * up to CRASHES crashes (1 if not given): src/algorithms/complete/raft.ts on links that lose,
 * repeat and reorder without limit. README.md says what all models share. A link is the set of
 * the messages that were ever sent over it, one bit each, and a delivery takes none away. Timers
 * fire at any time once they are set. All logs are equal. Without reductions: as many states as
 * `conclave check raft --links lossy --crashes 1 --detect off --bound term=2 --reduction off`.
 */
#if N < 2 || N > 5
#error "The model is written for 2 to 5 nodes."
#endif
#ifndef BOUND
#define BOUND 2
#endif
#ifndef CRASHES
#define CRASHES 1
#endif

/* The kinds of messages; each has one bit for each term. */
#define VOTE 0
#define REFUSED 1
#define GRANTED 2
#define HEARTBEAT 3
#define HEARD 4
#define BIT(what, when) (1 << ((what) * BOUND + (when) - 1))

#define FOLLOWER 0
#define CANDIDATE 1
#define LEADER 2

/* The link from one position to another. */
#define LINK(from, to) link[(to) * N + (from)]
short link[N * N];
hidden byte ids[N] = { IDS };

/* Who has led in each term: a history. */
byte led[BOUND + 1];
byte crashes;
bool dead[N];

/* The event: its message, and after how many sends the node crashes in its handler. */
hidden byte from, kind, when, limit;
hidden byte sent, i, voters;
#define NO_CRASH 255

/* Nothing is kept for a crashed node. */
inline send(to, what, at) {
  if
  :: sent < limit ->
    sent++;
    if
    :: dead[to]
    :: else -> LINK(_pid, to) = LINK(_pid, to) | BIT(what, at)
    fi
  :: else
  fi
}

inline sendAll(what) {
  for (i : 0 .. N - 1) {
    if
    :: i != _pid -> send(i, what, term)
    :: else
    fi
  }
}

inline lead() {
  role = LEADER; votes = 0; leader = me;
  assert(led[term] == 0 || led[term] == me);
  led[term] = me;
  electionSet = false;
  beat()
}

inline beat() {
  sendAll(HEARTBEAT);
  beatSet = true
}

/* Whether a majority, this node included, has granted what it asked for. */
inline count() {
  voters = 1;
  for (i : 0 .. N - 1) { voters = voters + ((votes >> i) & 1) }
  if
  :: 2 * voters > N -> lead()
  :: else
  fi
}

inline stand() {
  leader = 0;
  term++;
  voted = me;
  role = CANDIDATE; votes = 0;
  electionSet = true;
  sendAll(VOTE);
  count()
}

/* A later term: this node has not voted in it, and leads no more. */
inline catchUp() {
  if
  :: when > term ->
    term = when;
    voted = 0;
    beatSet = false;
    if
    :: role == LEADER -> electionSet = true
    :: else
    fi;
    role = FOLLOWER; votes = 0; leader = 0
  :: else
  fi
}

inline handle() {
  catchUp();
  if
  :: kind == VOTE ->
    if
    :: when == term && (voted == 0 || voted == ids[from]) ->
      voted = ids[from];
      electionSet = true;
      send(from, GRANTED, term)
    :: else -> send(from, REFUSED, term)
    fi
  :: kind == GRANTED && role == CANDIDATE && when == term -> votes = votes | (1 << from); count()
  :: kind == HEARTBEAT ->
    if
    :: when == term -> role = FOLLOWER; votes = 0; leader = ids[from]; electionSet = true
    :: else
    fi;
    send(from, HEARD, term)
  :: else
  fi
}

/* A crashed node keeps nothing that anybody can see. */
inline finish() {
  if
  :: limit != NO_CRASH ->
    crashes++; dead[_pid] = true;
    for (i : 0 .. N - 1) { LINK(i, _pid) = 0 }
    awake = false; electionSet = false; beatSet = false;
    term = 0; voted = 0; role = FOLLOWER; votes = 0; leader = 0
  :: else
  fi
}

/*
 * The node survives the event, or crashes after some of the sends of its handler. To crash after
 * all of them is to crash afterwards.
 */
#define CRASH_AFTER(sends) :: N > sends + 1 && crashes < CRASHES -> limit = sends
inline chooseLimit() {
  if
  :: limit = NO_CRASH
  CRASH_AFTER(1)
  CRASH_AFTER(2)
  CRASH_AFTER(3)
  fi
}

#define FROM(position) :: LINK(position, _pid) != 0 -> from = position
#define MESSAGE(what, at) :: LINK(from, _pid) & BIT(what, at) -> kind = what; when = at
#define MESSAGES(at) \
  MESSAGE(VOTE, at) MESSAGE(REFUSED, at) MESSAGE(GRANTED, at) MESSAGE(HEARTBEAT, at) \
  MESSAGE(HEARD, at)

active [N] proctype node() {
  byte me = ids[_pid];
  byte term, voted, role, votes, leader;
  bool awake, electionSet, beatSet;

end:
  do
  :: d_step { !awake && !dead[_pid] -> awake = true; electionSet = true }
  :: d_step { !dead[_pid] && crashes < CRASHES -> limit = 0; finish() }
  :: atomic {
    electionSet && term < BOUND -> chooseLimit();
    d_step { sent = 0; electionSet = false; stand(); finish() }
  }
  :: atomic { beatSet -> chooseLimit(); d_step { sent = 0; beat(); finish() } }
  :: atomic {
    if
    FROM(0)
    FROM(1)
#if N > 2
    FROM(2)
#endif
#if N > 3
    FROM(3)
#endif
#if N > 4
    FROM(4)
#endif
    fi;
    if
    MESSAGES(1)
#if BOUND > 1
    MESSAGES(2)
#endif
#if BOUND > 2
    MESSAGES(3)
#endif
    fi;
    if
    :: kind == GRANTED -> chooseLimit()
    :: else -> limit = NO_CRASH
    fi;
    d_step {
      sent = 0;
      if
      :: !awake -> awake = true; electionSet = true
      :: else
      fi;
      handle();
      finish()
    }
  }
  od
}
