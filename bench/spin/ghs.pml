/*
 * Gallager, Humblet and Spira on a ring: src/algorithms/graph/ghs.ts and fragment.ts. README.md
 * says what all models share. WEIGHTS are those of the edges from each position to the next, all
 * different, so that a weight stands for its edge. Without reductions: as many states as
 * `conclave check ghs -t ring:N --weights ... --reduction off`, for N from 3 on.
 */
mtype = { CONNECT, INITIATE, TEST, ACCEPT, REJECT, REPORT, CHANGEROOT, LEADER };

#define LEFT 0
#define RIGHT 1
#define NO_LINK 2

/* The state of an edge. */
#define BASIC 0
#define BRANCH 1
#define REJECTED 2

#define NO_EDGE 255

/* The links into each position: from the position before it, and from the one after it. */
chan leftward[N] = [4] of { mtype, byte, byte, bool };
chan rightward[N] = [4] of { mtype, byte, byte, bool };
#define AFTER(position) ((position + 1) % N)
#define BEFORE(position) ((position + N - 1) % N)
hidden byte ids[N] = { IDS };
hidden byte weights[N] = { WEIGHTS };
local byte leaders;

/* The messages that a node has deferred, in the order of arrival. */
#define PLACES 4
typedef Deferred { bit from; mtype kind; byte a, b; bool c };

inline send(over, what, x, y, z) {
  if
  :: over == LEFT -> toLeft!what(x, y, z)
  :: else -> toRight!what(x, y, z)
  fi
}

inline connect(over) {
  edges[over] = BRANCH;
  send(over, CONNECT, level, 0, false)
}

/* Tests whether the lightest undecided link leads out of the fragment. `open` counts the links that
 * may be undecided: of two the lighter one comes first. */
inline test() {
  if
  :: open == 2 && edges[lighter] != BASIC -> open = 1
  :: else
  fi;
  if
  :: open == 1 && edges[1 - lighter] != BASIC -> open = 0
  :: else
  fi;
  if
  :: open == 0 -> testing = NO_LINK; report()
  :: open == 1 -> testing = 1 - lighter; send(testing, TEST, level, fragment, false)
  :: open == 2 -> testing = lighter; send(testing, TEST, level, fragment, false)
  fi
}

/* Reports to the core when this node and its subtree have searched. */
inline report() {
  if
  :: finding && awaited == 0 && testing == NO_LINK ->
    finding = false;
    send(inward, REPORT, weight, 0, false)
  :: else
  fi
}

/* An outgoing edge was found, here or in the subtree that sent the message. */
inline consider(found) {
  if
  :: found < weight -> best = from; weight = found
  :: else
  fi;
  report()
}

inline reject() {
  if
  :: edges[from] == BASIC -> edges[from] = REJECTED
  :: else
  fi
}

inline changeRoot() {
  if
  :: edges[best] == BRANCH -> send(best, CHANGEROOT, 0, 0, false)
  :: else -> connect(best)
  fi
}

inline start() {
  open = 2;
  connect(lighter)
}

/* Handles one message, or sets `deferred`. */
inline offer() {
  deferred = false;
  if
  :: kind == CONNECT ->
    if
    :: a < level ->
      edges[from] = BRANCH;
      if
      :: finding -> awaited++
      :: else
      fi;
      send(from, INITIATE, level, fragment, finding)
    :: a >= level && edges[from] == BASIC -> deferred = true
    :: else ->
      b = (from == LEFT -> peerLeft : peerRight);
      b = (me > b -> me : b);
      send(from, INITIATE, a + 1, b, true)
    fi
  :: kind == INITIATE ->
    if
    :: a > level ->
      level = a; fragment = b; finding = c; inward = from;
      if
      :: edges[1 - from] == BRANCH -> send(1 - from, INITIATE, a, b, c)
      :: else
      fi;
      if
      :: finding ->
        awaited = (edges[1 - from] == BRANCH -> 1 : 0);
        best = inward; weight = NO_EDGE;
        test()
      :: else
      fi
    :: else
    fi
  :: kind == TEST ->
    if
    :: a > level -> deferred = true
    :: a <= level && b != fragment -> send(from, ACCEPT, 0, 0, false)
    :: a <= level && b == fragment ->
      reject();
      if
      :: testing == from -> test()
      :: else -> send(from, REJECT, 0, 0, false)
      fi
    fi
  :: kind == ACCEPT ->
    testing = NO_LINK;
    a = (from == LEFT -> weightLeft : weightRight);
    consider(a)
  :: kind == REJECT -> reject(); test()
  :: kind == REPORT ->
    if
    :: from != inward -> awaited--; consider(a)
    :: from == inward && finding -> deferred = true
    :: from == inward && !finding ->
      if
      :: weight < a -> changeRoot()
      :: weight == a && me == fragment ->
        leader = me; leaders++; assert(leaders == 1);
        announce(NO_LINK);
        stopped = true
      :: else
      fi
    fi
  :: kind == CHANGEROOT ->
    if
    :: from == inward && best != inward -> changeRoot()
    :: else
    fi
  :: kind == LEADER ->
    leader = a;
    announce(from);
    stopped = true
  fi
}

/* Sends the leader over all branches but one. */
inline announce(but) {
  if
  :: but != LEFT && edges[LEFT] == BRANCH -> toLeft!LEADER(leader, 0, false)
  :: else
  fi;
  if
  :: but != RIGHT && edges[RIGHT] == BRANCH -> toRight!LEADER(leader, 0, false)
  :: else
  fi
}

/* Handles or defers a message; after a handled one the deferred ones are offered again. */
#define ARRIVED 255
inline handle(link) {
  from = link;
  next = ARRIVED;
  do
  :: stopped || next == count -> break
  :: else ->
    if
    :: next != ARRIVED ->
      from = waiting[next].from; kind = waiting[next].kind;
      a = waiting[next].a; b = waiting[next].b; c = waiting[next].c
    :: else
    fi;
    offer();
    if
    :: deferred && next == ARRIVED ->
      assert(count < PLACES);
      waiting[count].from = from; waiting[count].kind = kind;
      waiting[count].a = a; waiting[count].b = b; waiting[count].c = c;
      count++;
      break
    :: deferred && next != ARRIVED -> next++
    :: !deferred && next == ARRIVED -> next = 0
    :: !deferred && next != ARRIVED -> remove(); next = 0
    fi
  od;
  from = 0; kind = 0; a = 0; b = 0; c = false; next = 0; deferred = false
}

inline remove() {
  count--;
  do
  :: next == count -> break
  :: else ->
    waiting[next].from = waiting[next + 1].from; waiting[next].kind = waiting[next + 1].kind;
    waiting[next].a = waiting[next + 1].a; waiting[next].b = waiting[next + 1].b;
    waiting[next].c = waiting[next + 1].c;
    next++
  od;
  waiting[count].from = 0; waiting[count].kind = 0;
  waiting[count].a = 0; waiting[count].b = 0; waiting[count].c = false
}

active [N] proctype node() {
  byte me = ids[_pid];
  byte peerLeft = ids[AFTER(_pid)];
  byte peerRight = ids[BEFORE(_pid)];
  byte weightLeft = weights[_pid];
  byte weightRight = weights[BEFORE(_pid)];
  bit lighter = (weightLeft < weightRight -> LEFT : RIGHT);
  chan fromRight = leftward[_pid];
  chan fromLeft = rightward[_pid];
  chan toLeft = leftward[AFTER(_pid)];
  chan toRight = rightward[BEFORE(_pid)];
  xr fromRight;
  xr fromLeft;
  xs toLeft;
  xs toRight;
  Deferred waiting[PLACES];
  byte count, next;
  bit from, inward, best;
  mtype kind;
  byte a, b, edges[2], open, level, fragment, testing = NO_LINK, awaited, weight, leader;
  bool c, deferred, finding, stopped;

  if
  :: d_step { start() }
  :: d_step { fromRight?kind(a, b, c) -> start(); handle(RIGHT) }
  :: d_step { fromLeft?kind(a, b, c) -> start(); handle(LEFT) }
  fi;
end:
  do
  :: d_step { fromRight?kind(a, b, c) -> handle(RIGHT) }
  :: d_step { fromLeft?kind(a, b, c) -> handle(LEFT) }
  od
}
