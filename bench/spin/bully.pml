/*
 * Bully with up to one crash (-DCRASHES=0: none) in mode clocked:1:
 * src/algorithms/complete/bully.ts, where nobody recovers: `awaited` and `unseen`
 * are never set there, and `fallen` is empty or has the crashed node. README.md says what all
 * models share. Without reductions: as many states as `conclave check bully --crashes 1 --mode
 * clocked:1 --reduction off`.
 */
#if N < 2 || N > 6
#error "The model is written for 2 to 6 nodes."
#endif
#ifndef CRASHES
#define CRASHES 1
#endif
mtype = { ELECTION, OK, COORDINATOR };

/* A message takes one unit of time, an answer two; the detector reports a crash after one. */
#define PATIENCE 2
#define NOT_YET 255

/* What happens at one moment, in this order. Notices of the detector come before anything else. */
#define DELIVERIES 1
#define STARTS 2
#define TIMERS 3
byte phase = STARTS;

/* The link from one position to another, and how many of its messages arrive at this moment. */
#define AT(from, to) ((to) * N + (from))
chan link[N * N] = [4] of { mtype };
byte due[N * N];
hidden byte ids[N] = { IDS };

/* The timers of a node, by the time that is left, then in the order of setting. */
#define SILENCE 1
#define VACANCY 2
#define SETTLED 3
#define ECHO 4
#define KINDS 4

typedef Node {
  bool awake, dead, electing, settled, fallen, down;
  byte chief; /* its position + 1; 0: none */
  byte leader;
  byte timers;
  byte timer[KINDS];
  byte left[KINDS]
};
Node node[N];
#define MY node[_pid]
#define ME ids[_pid]

/* The crash, which nodes will be notified of it, how many, and in how many units of time. */
byte crashes, crashed, noticeIn, notices;
bool noticed[N];

/* After how many sends the node crashes in its handler. */
hidden byte limit;
#define NO_CRASH 255
hidden byte sent, i, j, k, to, asked;

/* How much time may pass at once: it follows from the rest of the state. */
byte time = NOT_YET;
hidden byte any;

inline send(receiver, what) {
  if
  :: sent < limit ->
    sent++;
    if
    :: node[receiver].dead
    :: else -> link[AT(_pid, receiver)]!what
    fi
  :: else
  fi
}

inline cancel(which) {
  k = 0;
  do
  :: k == MY.timers -> break
  :: k < MY.timers && MY.timer[k] == which ->
    MY.timers--;
    do
    :: k == MY.timers -> break
    :: else -> MY.timer[k] = MY.timer[k + 1]; MY.left[k] = MY.left[k + 1]; k++
    od;
    MY.timer[k] = 0; MY.left[k] = 0;
    break
  :: else -> k++
  od
}

inline after(delay, which) {
  cancel(which);
  k = MY.timers;
  do
  :: k > 0 && MY.left[k - 1] > delay ->
    MY.timer[k] = MY.timer[k - 1]; MY.left[k] = MY.left[k - 1]; k--
  :: else -> break
  od;
  MY.timer[k] = which; MY.left[k] = delay;
  MY.timers++
}

/* Not known to have crashed. A message of the leader is newer than a report about it. */
#define MAY_BE_ALIVE(position) \
  (!(MY.down && crashed == position + 1) || MY.chief == position + 1)

inline elect() {
  asked = 0;
  for (j : 1 .. N - 1) {
    to = (_pid + j) % N;
    if
    :: ids[to] > ME && MAY_BE_ALIVE(to) -> asked++; send(to, ELECTION)
    :: else
    fi
  }
  if
  :: asked > 0 -> MY.electing = true; after(PATIENCE, SILENCE); after(2 * PATIENCE, VACANCY)
  :: else -> becomeLeader()
  fi
}

inline electUnlessRunning() {
  if
  :: !MY.electing -> elect()
  :: else
  fi
}

inline becomeLeader() {
  settle(0);
  MY.leader = ME;
  for (j : 1 .. N - 1) {
    to = (_pid + j) % N;
    assert(node[to].dead || node[to].leader != ids[to]);
    if
    :: ids[to] < ME && MAY_BE_ALIVE(to) -> send(to, COORDINATOR)
    :: else
    fi
  }
}

/* An outcome ends the election at this node; for some time it starts no other. */
inline settle(whom) {
  MY.chief = whom; MY.electing = false; MY.settled = true;
  cancel(SILENCE); cancel(VACANCY);
  after(PATIENCE, SETTLED)
}

inline handle(from) {
  MY.awake = true;
  due[AT(from, _pid)]--;
  phase = DELIVERIES;
  if
  :: link[AT(from, _pid)]?[ELECTION] ->
    link[AT(from, _pid)]?ELECTION;
    send(from, OK);
    if
    :: !MY.settled -> electUnlessRunning()
    :: else
    fi
  :: link[AT(from, _pid)]?[OK] -> link[AT(from, _pid)]?OK; cancel(SILENCE)
  :: link[AT(from, _pid)]?[COORDINATOR] ->
    link[AT(from, _pid)]?COORDINATOR;
    if
    :: ids[from] < ME || (MY.fallen && crashed == from + 1) -> electUnlessRunning()
    :: else ->
      if
      :: MY.settled && MY.chief != 0 && ids[MY.chief - 1] > ids[from]
      :: else ->
        settle(from + 1);
        MY.leader = ids[from];
        if
        :: MY.down && crashed == from + 1 -> after(2 * PATIENCE, VACANCY)
        :: else
        fi
      fi
    fi
  fi
}

inline fire() {
  phase = TIMERS;
  i = MY.timer[0];
  cancel(i);
  if
  :: i == SILENCE -> becomeLeader()
  :: i == VACANCY -> elect()
  :: i == SETTLED -> MY.settled = false
  :: i == ECHO -> MY.fallen = false
  fi
}

/* The detector reports the crash. */
inline notice() {
  noticed[_pid] = false; notices--;
  MY.down = true;
  if
  :: ids[crashed - 1] > ME -> MY.fallen = true; after(PATIENCE / 2, ECHO)
  :: else
  fi;
  if
  :: MY.chief == crashed -> MY.chief = 0; MY.leader = 0; electUnlessRunning()
  :: else
  fi
}

inline crash() {
  crashes++; crashed = _pid + 1; noticeIn = 1; notices = N - 1;
  MY.dead = true; MY.awake = false; MY.electing = false; MY.settled = false; MY.fallen = false;
  MY.down = false; MY.chief = 0; MY.leader = 0;
  for (i : 0 .. KINDS - 1) { MY.timer[i] = 0; MY.left[i] = 0 }
  MY.timers = 0;
  for (i : 0 .. N - 1) {
    noticed[i] = (i != _pid);
    due[AT(i, _pid)] = 0;
    do
    :: link[AT(i, _pid)]?_
    :: empty(link[AT(i, _pid)]) -> break
    od
  }
}

/* The end of each event: the node crashes within it, or not; phases that are over are left. */
inline finish() {
  if
  :: limit != NO_CRASH -> crash()
  :: else
  fi;
  normalise()
}

inline normalise() {
  if
  :: phase == DELIVERIES ->
    any = false;
    for (i : 0 .. N * N - 1) { any = any || due[i] > 0 }
    if
    :: !any -> phase = STARTS
    :: else
    fi
  :: else
  fi;
  if
  :: phase == STARTS ->
    anyAsleep();
    if
    :: !any -> phase = TIMERS
    :: else
    fi
  :: else
  fi;
  timeToNextEvent()
}

/* The time up to the next moment at which something can happen; 0: a timer is due. */
inline timeToNextEvent() {
  time = NOT_YET;
  any = false;
  for (i : 0 .. N - 1) {
    if
    :: node[i].timers > 0 && node[i].left[0] < time -> time = node[i].left[0]
    :: else
    fi;
    if
    :: noticed[i] && noticeIn < time -> time = noticeIn
    :: else
    fi
  }
  if
  :: time > 0 ->
    for (i : 0 .. N * N - 1) { any = any || len(link[i]) > 0 }
    if
    :: any -> time = 1
    :: else ->
      anyAsleep();
      if
      :: any && (time < NOT_YET || phase > STARTS) -> time = 1
      :: !any && time < NOT_YET && crashes < CRASHES -> time = 1
      :: else
      fi
    fi
  :: else
  fi
}

inline anyAsleep() {
  any = false;
  for (i : 0 .. N - 1) { any = any || (!node[i].awake && !node[i].dead) }
}

/* To crash after all sends of a handler is to crash afterwards. */
#define CRASH_AFTER(sends) :: N > sends && crashes < CRASHES -> limit = sends
inline chooseLimit() {
  if
  :: limit = NO_CRASH
  CRASH_AFTER(1)
  CRASH_AFTER(2)
  CRASH_AFTER(3)
  CRASH_AFTER(4)
  CRASH_AFTER(5)
  fi
}

/* Notices come before anything else. */
#define NOTICES_DUE (noticeIn == 0 && notices > 0)

#define RECEIVE(from) \
  :: atomic { \
    due[AT(from, _pid)] > 0 && !NOTICES_DUE -> chooseLimit(); \
    d_step { sent = 0; handle(from); finish() } \
  }

active [N] proctype member() {
end:
  do
  :: d_step { !MY.dead && crashes < CRASHES -> limit = 0; finish() }
  :: atomic {
    noticed[_pid] && noticeIn == 0 -> chooseLimit();
    d_step { sent = 0; notice(); finish() }
  }
  :: atomic {
    phase == STARTS && !MY.awake && !MY.dead && !NOTICES_DUE -> chooseLimit();
    d_step { sent = 0; MY.awake = true; elect(); finish() }
  }
  :: atomic {
    phase != DELIVERIES && MY.timers > 0 && MY.left[0] == 0 && !NOTICES_DUE -> chooseLimit();
    d_step { sent = 0; fire(); finish() }
  }
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
  od
}

inline tick() {
  for (i : 0 .. N - 1) {
    for (j : 0 .. KINDS - 1) {
      if
      :: j < node[i].timers -> node[i].left[j] = node[i].left[j] - time
      :: else
      fi
    }
  }
  for (i : 0 .. N * N - 1) { due[i] = len(link[i]) }
  if
  :: noticeIn > 0 -> noticeIn = noticeIn - 1
  :: else
  fi;
  phase = DELIVERIES;
  normalise()
}

active proctype clock() {
end:
  do
  :: d_step { phase != DELIVERIES && !NOTICES_DUE && time > 0 && time < NOT_YET -> tick() }
  od
}
