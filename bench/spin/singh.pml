/*
 * Singh, the forward variant: src/algorithms/complete/singh.ts. README.md says what all models
 * share. Without reductions: as many states as `conclave check singh --reduction off`.
 */
#if N < 2 || N > 9
#error "The model is written for 2 to 9 nodes."
#endif
mtype = { CAPTURE1, ACCEPT1, OWNER, ACK, CAPTURE2, INFORM, ACCEPT2, ELECTED };

/* The stage of a node: captured (also before it starts), or the stage of a candidate. */
#define CAPTURED 0
#define AHEAD 1
#define OWNING 2
#define SECOND 3

/* K = 2^(ceil(log2 N) - ceil(log2 ceil(log2 N))), for N from 2 to 9. */
#if N <= 8
#define K 2
#else
#define K 4
#endif
#define TEETH ((N - 1) / K)

/* The link from one position to another. */
#define LINK(from, to) link[(to) * N + (from)]
#define ALONG(away) LINK(_pid, (_pid + (away)) % N)
chan link[N * N] = [3] of { mtype, byte, byte };
hidden byte ids[N] = { IDS };
byte leaders;

/* Whether a candidate at this stage withstands another. */
#define STANDS(mine, theirs, other) \
  (stage != CAPTURED && (mine > theirs || (mine == theirs && me > other)))

/* Captures the next tooth ahead; after the last one it becomes the owner of all of them. */
inline captureAhead() {
  stage = AHEAD;
  if
  :: level < TEETH -> awaited = 1; ALONG((level + 1) * K)!CAPTURE1(level, me)
  :: else ->
    stage = OWNING;
    closed = true;
    awaited = TEETH;
    for (i : 1 .. TEETH) { ALONG(i * K)!OWNER(N - i * K, 0) }
    if
    :: awaited == 0 -> captureOwners()
    :: else
    fi
  fi
}

/* One step of the second phase; after the last one the candidate leads. */
inline captureOwners() {
  stage = SECOND;
  step++;
  if
  :: (1 << step) <= K ->
    awaited = 1 << (step - 1);
    for (i : 0 .. (1 << (step - 1)) - 1) { ALONG((2 * i + 1) * (K >> step))!CAPTURE2(step, me) }
  :: else ->
    leader = me; leaders++; assert(leaders == 1);
    for (i : 1 .. N - 1) { ALONG(i)!ELECTED(me, 0) }
    stopped = true
  fi
}

inline answered() {
  if
  :: stage != CAPTURED ->
    awaited--;
    if
    :: awaited == 0 && stage == AHEAD -> captureAhead()
    :: awaited == 0 && stage != AHEAD -> captureOwners()
    :: else
    fi
  :: else
  fi
}

inline handle() {
  if
  :: stopped
  :: else ->
    if
    :: kind == CAPTURE1 ->
      if
      :: closed || STANDS(level, a, b)
      :: else -> LINK(_pid, from)!ACCEPT1(level, 0); stage = CAPTURED; level = 0
      fi
    :: kind == ACCEPT1 ->
      if
      :: stage == AHEAD -> level = level + a + 1
      :: else
      fi;
      answered()
    :: kind == OWNER ->
      if
      :: closed
      :: else -> closed = true; owner = a; LINK(_pid, from)!ACK(0, 0)
      fi
    :: kind == ACK || kind == ACCEPT2 -> answered()
    :: kind == CAPTURE2 ->
      if
      :: STANDS(step, a, b)
      :: else ->
        stage = CAPTURED;
        closed = true;
        if
        :: owner == 0 -> LINK(_pid, from)!ACCEPT2(0, 0)
        :: else -> LINK(_pid, from)!INFORM(owner, 0)
        fi
      fi
    :: kind == INFORM ->
      if
      :: stage == CAPTURED
      :: else -> LINK(_pid, (from + a) % N)!CAPTURE2(step, me)
      fi
    :: kind == ELECTED -> leader = a; stopped = true
    fi
  fi;
  kind = 0; a = 0; b = 0; i = 0; from = 0
}

/* A message that wakes a node does not start it. */
#define RECEIVE(position) \
  :: d_step { LINK(position, _pid)?kind(a, b) -> from = position; awake = true; handle() }

active [N] proctype node() {
  byte me = ids[_pid];
  mtype kind;
  byte a, b, i, from, leader, stage, level, step, awaited, owner;
  bool awake, closed, stopped;

end:
  do
  :: d_step { !awake -> awake = true; captureAhead(); i = 0 }
  RECEIVE(0)
  RECEIVE(1)
#if N > 2
  RECEIVE(2)
#endif
#if N > 3
  RECEIVE(3)
#endif
#if N > 4
  RECEIVE(4)
#endif
#if N > 5
  RECEIVE(5)
#endif
#if N > 6
  RECEIVE(6)
#endif
#if N > 7
  RECEIVE(7)
#endif
#if N > 8
  RECEIVE(8)
#endif
  od
}
