/*
 * Leases by a quorum in mode clocked:1, with leases of LEASE units of time (6 if not given), terms
 * up to TERMS (2), requests up to number NUMBERS (5) and nonces up to age AGES (1):
 * src/algorithms/complete/lease/. README.md says what all models share. Nobody crashes, so each
 * node is in its first incarnation, and no voter has to learn what it granted. The application
 * asks for nothing. A random delay is the shortest one. Without reductions: as many states as
 * `conclave check quorum-lease --set lease=6 --bound term=2 number=5 age=1 --timeouts 1
 * --reduction off`.
 */
#if N < 2 || N > 6
#error "The model is written for 2 to 6 nodes."
#endif
#ifndef LEASE
#define LEASE 6
#endif
#ifndef TERMS
#define TERMS 2
#endif
#ifndef NUMBERS
#define NUMBERS 5
#endif
#ifndef AGES
#define AGES 1
#endif
mtype = { POLL, READY, ASK, GRANT, REFUSE, RELEASE };

/* How long a leader relies on promises: clocks may differ by a twentieth. */
#define TENURE (LEASE * 20 / 21)
#define HALF ((LEASE + 1) / 2)
#define RENEWAL (LEASE < 8 -> 1 : LEASE / 4)
/* Nodes stand one after the other. */
#define TURN ((LEASE + 9) / 10)

/* What happens at one moment, in this order. A lease that is over ends before anything else. */
#define DELIVERIES 1
#define STARTS 2
#define TIMERS 3
byte stage = STARTS;

/*
 * The link from one position to another, and how many of its messages arrive at this moment. A
 * message has the number of a request, a term, a nonce (or who should stand next), and whether its
 * sender leads.
 */
#define AT(from, to) ((to) * (N - 1) + (from) - ((from) > (to)))
#define LINKS (N * (N - 1))
chan link[LINKS] = [5] of { mtype, byte, byte, byte, bool };
byte due[LINKS];
hidden byte ids[N] = { IDS };

/* The timers of a node, by the time that is left, then in the order of setting. */
#define EVEN 1
#define ODD 2
#define PROMISE 4
#define RENEW 8
#define CAMPAIGN 16
#define NONCE 32
#define KINDS 6

#define IDLE 0
#define POLLING 1
#define ASKING 2
#define LEADING 3

/*
 * A node is its position + 1, a nonce its age + 1, a request its number; 0 is none. A set of nodes
 * has one bit for each position. `turn` and `rests` are timers, or 0.
 */
typedef Node {
  bool awake, promised, own;
  byte leader; /* the node itself: it leads */
  byte term, holder, age, valid;
  byte phase, number, answers, refusals, highest, bid, turn, rests;
  byte heard[N];
  byte pending[N];
  byte echoes[N];
  byte timer[KINDS];
  byte left[KINDS]
};
Node node[N];
#define MY node[_pid]
#define ME (_pid + 1)
#define LEADS(position) (node[position].leader == position + 1)

/* Who has led in each term: a history. */
byte led[TERMS + 1];

/* The leader whose lease is over at this moment. */
byte over;

/* How much time may pass at once: it follows from the rest of the state. */
#define NOT_YET 255
byte time = NOT_YET;

/* The message of the event. */
hidden mtype kind;
hidden byte from, request, when, word, leads;
hidden byte i, j, k, kept, size, granted, first, any;

inline sendAll(what, at, about) {
  for (i : 0 .. N - 1) {
    if
    :: i != _pid -> link[AT(_pid, i)]!what, MY.number, at, about, 0
    :: else
    fi
  }
}

/* Cancels all timers of a set. */
inline cancel(which) {
  kept = 0;
  for (k : 0 .. KINDS - 1) {
    if
    :: !(MY.timer[k] & (which)) ->
      MY.timer[kept] = MY.timer[k]; MY.left[kept] = MY.left[k];
      kept++
    :: else
    fi
  }
  for (k : kept .. KINDS - 1) { MY.timer[k] = 0; MY.left[k] = 0 }
}

inline after(delay, which) {
  cancel(which);
  k = KINDS - 1;
  do
  :: k > 0 && (MY.timer[k - 1] == 0 || MY.left[k - 1] > delay) ->
    MY.timer[k] = MY.timer[k - 1]; MY.left[k] = MY.left[k - 1]; k--
  :: else -> break
  od;
  MY.timer[k] = which; MY.left[k] = delay
}

/*
 * A node leads as long as the timer runs that its leadership rests on, which is not set again
 * before. At most one leader at a time holds a lease, and terms grow.
 */
inline lead() {
  any = false;
  for (k : 0 .. KINDS - 1) { any = any || (MY.timer[k] == MY.rests && MY.left[k] > 0) }
  if
  :: any && !LEADS(_pid) ->
    for (k : 0 .. N - 1) { assert(!LEADS(k)) }
    for (k : MY.bid .. TERMS) { assert(led[k] == 0) }
    led[MY.bid] = ME;
    MY.leader = ME
  :: else
  fi
}

/* Whether these nodes, and this one if it says yes, are a majority: see MAJORITY. */
inline countVotes(nodes, yes) {
  size = yes;
  for (k : 0 .. N - 1) { size = size + ((nodes >> k) & 1) }
}
#define MAJORITY (2 * size > N)
#define ALL ((1 << N) - 1)

/* Whether a promise to this node would break no other. */
#define COULD_GRANT(whom) (!MY.promised || MY.holder == whom)

/* Grants a request, or changes nothing. */
inline grants(whom, at) {
  granted = COULD_GRANT(whom) && (at > MY.term || (at == MY.term && MY.holder == whom));
  if
  :: granted ->
    MY.term = at; MY.holder = whom; MY.promised = true;
    after(LEASE, PROMISE)
  :: else
  fi
}

inline answerPolls() {
  for (j : 0 .. N - 1) {
    if
    :: MY.pending[j] != 0 && COULD_GRANT(j + 1) ->
      sendNonce(j, READY, MY.pending[j], MY.term);
      MY.pending[j] = 0
    :: else
    fi
  }
}

/* A nonce is to be echoed within one lease. */
inline sendNonce(to, what, which, at) {
  if
  :: MY.valid == 0 -> after(HALF, NONCE)
  :: else
  fi;
  MY.valid = 2;
  link[AT(_pid, to)]!what, which, at, MY.age + 1, 0
}

inline ageNonces() {
  MY.age++; MY.valid--;
  if
  :: MY.valid > 0 -> after(HALF, NONCE)
  :: else
  fi
}

#define IS_FRESH(nonce) (nonce != 0 && (nonce == MY.age + 1 || nonce == MY.age))

inline answerRequest() {
  granted = false;
  if
  :: IS_FRESH(word) -> grants(from + 1, when)
  :: else
  fi;
  sendNonce(from, (granted -> GRANT : REFUSE), request, 0);
  leaveIfOver();
  if
  :: LEADS(_pid)
  :: else ->
    if
    :: granted -> accept()
    :: !granted && leads -> followWithoutGrant()
    /* Of two candidates that collide, the one with the larger id goes on. */
    :: !granted && !leads && MY.phase == ASKING && ids[from] > ids[_pid] -> resign(from + 1)
    :: else
    fi
  fi
}

inline accept() {
  if
  :: MY.phase == POLLING -> MY.phase = IDLE
  :: else
  fi;
  cancel(CAMPAIGN);
  MY.leader = (leads -> from + 1 : 0)
}

inline followWithoutGrant() {
  if
  :: !MY.promised && MY.phase != ASKING && when >= MY.term ->
    MY.phase = IDLE;
    MY.leader = from + 1;
    after(LEASE, CAMPAIGN)
  :: else
  fi
}

/* A promise is given back, or a rival has yielded to this candidate. */
inline released() {
  if
  :: word == ME && MY.phase == ASKING -> resign(0); poll()
  :: else ->
    if
    :: (!MY.promised && MY.leader == from + 1) || (when == MY.term && MY.holder == from + 1) ->
      free(word)
    :: else ->
      if
      :: word == ME && MY.phase == IDLE && !MY.promised -> poll()
      :: else
      fi
    fi
  fi
}

/* The promise has ended, or its holder gave it back and says who should stand next. */
inline free(next) {
  MY.promised = false;
  cancel(PROMISE);
  leaveIfOver();
  withdrawIfLost();
  answerPolls();
  if
  :: MY.phase == IDLE && next == ME -> poll()
  :: MY.phase == IDLE && next != ME -> campaign((next == 0 -> 0 : HALF))
  :: else
  fi
}

inline withdrawIfLost() {
  if
  :: !LEADS(_pid) -> MY.leader = 0
  :: else
  fi
}

/* Stands later, in the order of ids. */
inline campaign(later) {
  if
  :: MY.phase == IDLE && !MY.promised ->
    size = 0;
    for (k : 0 .. N - 1) { size = size + (ids[k] > ids[_pid]) }
    after(later + size * TURN, CAMPAIGN)
  :: else
  fi
}

/* Its own vote is no majority, here and in a round: answers are counted when they come. */
inline poll() {
  withdrawIfLost();
  if
  :: !MY.promised ->
    MY.phase = POLLING; MY.number++; MY.answers = 0; MY.highest = MY.term;
    sendAll(POLL, 0, 0);
    after(HALF, CAMPAIGN)
  :: else
  fi
}

inline countReady() {
  countVotes(MY.answers, COULD_GRANT(ME));
  if
  :: MAJORITY ->
    MY.phase = ASKING;
    MY.bid = (MY.highest > MY.term -> MY.highest : MY.term) + 1;
    MY.rests = 0;
    cancel(CAMPAIGN);
    round()
  :: else
  fi
}

/* Asks all voters; the own vote is one like any other. */
inline round() {
  MY.number++;
  MY.turn = (MY.rests == EVEN -> ODD : EVEN);
  MY.answers = 0; MY.refusals = 0;
  after(TENURE, MY.turn);
  grants(ME, MY.bid);
  MY.own = granted;
  for (i : 0 .. N - 1) {
    if
    :: i != _pid -> link[AT(_pid, i)]!ASK, MY.number, MY.bid, MY.echoes[i], MY.phase == LEADING
    :: else
    fi
  }
  if
  :: MY.phase == LEADING -> after(RENEWAL, RENEW)
  :: else
  fi
}

inline countGrants() {
  countVotes(MY.answers, MY.own);
  if
  :: MAJORITY && MY.rests != MY.turn ->
    first = (MY.phase == ASKING);
    MY.phase = LEADING;
    MY.rests = MY.turn;
    lead();
    leaveIfOver();
    if
    /* The next round tells the others at once who leads. */
    :: first && LEADS(_pid) -> round()
    :: else
    fi
  :: else
  fi
}

inline roundEnds() {
  if
  :: MY.phase == ASKING -> resign(0)
  :: else -> leaveIfOver()
  fi
}

/* A leader whose lease has run out leads no more. */
inline leaveIfOver() {
  if
  :: MY.phase == LEADING && !LEADS(_pid) -> leave()
  :: else
  fi
}

/* Ends the term: its promises are given back. */
inline resign(next) {
  MY.number++;
  leave();
  sendAll(RELEASE, MY.bid, next);
  if
  :: MY.bid == MY.term && MY.holder == ME ->
    MY.promised = false;
    cancel(PROMISE);
    answerPolls();
    after(HALF, CAMPAIGN)
  :: else
  fi
}

inline leave() {
  MY.phase = IDLE; MY.turn = 0; MY.rests = 0;
  cancel(EVEN | ODD | RENEW);
  if
  :: LEADS(_pid) -> MY.leader = 0
  :: else
  fi
}

inline start() {
  MY.awake = true;
  campaign(0)
}

inline handle() {
  due[AT(from, _pid)]--;
  link[AT(from, _pid)]?kind, request, when, word, leads;
  if
  :: !MY.awake -> start()
  :: else
  fi;
  if
  :: kind == READY || kind == GRANT || kind == REFUSE -> MY.echoes[from] = word
  :: else
  fi;
  if
  :: kind == POLL -> MY.pending[from] = request; answerPolls()
  :: kind == READY && MY.phase == POLLING && request == MY.number ->
    MY.answers = MY.answers | (1 << from);
    MY.highest = (MY.highest > when -> MY.highest : when);
    countReady()
  :: kind == GRANT && request == MY.number ->
    leaveIfOver();
    if
    :: MY.phase >= ASKING -> MY.answers = MY.answers | (1 << from); countGrants()
    :: else
    fi
  :: kind == REFUSE && MY.phase == ASKING && request == MY.number ->
    MY.refusals = MY.refusals | (1 << from);
    countVotes(ALL - (1 << _pid) - MY.refusals, MY.own);
    if
    :: !MAJORITY -> resign(0)
    :: else
    fi
  /* An older request than the last of this node is ignored. */
  :: (kind == ASK || kind == RELEASE) && request >= MY.heard[from] ->
    MY.heard[from] = request;
    if
    :: kind == ASK -> answerRequest()
    :: else -> released()
    fi
  :: else
  fi
}

inline fire() {
  stage = TIMERS;
  i = MY.timer[0];
  cancel(i);
  if
  :: i == PROMISE -> free(0)
  :: i == EVEN || i == ODD -> roundEnds()
  :: i == RENEW ->
    leaveIfOver();
    if
    :: LEADS(_pid) -> round()
    :: else
    fi
  :: i == CAMPAIGN && MY.phase <= POLLING -> poll()
  :: i == NONCE -> ageNonces()
  :: else
  fi
}

/*
 * The end of each event; stages that are over are left. A run that exceeds a bound is cut: it goes
 * on from the initial state, so that the event leads to nothing new.
 */
inline finish() {
  if
  :: MY.term > TERMS || MY.number > NUMBERS || MY.age > AGES -> startAgain()
  :: else
  fi;
  normalise()
}

inline startAgain() {
  stage = STARTS;
  for (i : 0 .. LINKS - 1) {
    due[i] = 0;
    do
    :: link[i]?_, _, _, _, _
    :: empty(link[i]) -> break
    od
  }
  for (i : 0 .. TERMS) { led[i] = 0 }
  for (i : 0 .. N - 1) {
    node[i].awake = false; node[i].promised = false; node[i].own = false; node[i].leader = 0;
    node[i].term = 0; node[i].holder = 0; node[i].age = 0; node[i].valid = 0;
    node[i].phase = IDLE; node[i].number = 0; node[i].answers = 0; node[i].refusals = 0;
    node[i].highest = 0; node[i].bid = 0; node[i].turn = 0; node[i].rests = 0;
    for (j : 0 .. N - 1) { node[i].heard[j] = 0; node[i].pending[j] = 0; node[i].echoes[j] = 0 }
    for (j : 0 .. KINDS - 1) { node[i].timer[j] = 0; node[i].left[j] = 0 }
  }
}

inline normalise() {
  if
  :: stage == DELIVERIES ->
    any = false;
    for (i : 0 .. LINKS - 1) { any = any || due[i] > 0 }
    if
    :: !any -> stage = STARTS
    :: else
    fi
  :: else
  fi;
  if
  :: stage == STARTS ->
    anyAsleep();
    if
    :: !any -> stage = TIMERS
    :: else
    fi
  :: else
  fi;
  timeToNextEvent()
}

/* The time up to the next moment at which something can happen; 0: a timer is due. */
inline timeToNextEvent() {
  time = NOT_YET;
  for (i : 0 .. N - 1) {
    if
    :: node[i].timer[0] != 0 && node[i].left[0] < time -> time = node[i].left[0]
    :: else
    fi
  }
  if
  :: time > 0 ->
    any = false;
    for (i : 0 .. LINKS - 1) { any = any || len(link[i]) > 0 }
    if
    :: any -> time = 1
    :: else ->
      anyAsleep();
      if
      :: any && (time < NOT_YET || stage > STARTS) -> time = 1
      :: else
      fi
    fi
  :: else
  fi
}

inline anyAsleep() {
  any = false;
  for (i : 0 .. N - 1) { any = any || !node[i].awake }
}

#define FROM(position) :: position != _pid && due[AT(position, _pid)] > 0 && over == 0 -> from = position

active [N] proctype member() {
end:
  do
  :: d_step { over == ME -> over = 0; MY.leader = 0; normalise() }
  :: d_step { stage == STARTS && !MY.awake && over == 0 -> start(); finish() }
  :: d_step {
    stage != DELIVERIES && MY.timer[0] != 0 && MY.left[0] == 0 && over == 0 -> fire(); finish()
  }
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
#if N > 5
    FROM(5)
#endif
    fi;
    d_step { handle(); finish() }
  }
  od
}

inline tick() {
  for (i : 0 .. N - 1) {
    for (j : 0 .. KINDS - 1) {
      if
      :: node[i].timer[j] != 0 ->
        node[i].left[j] = node[i].left[j] - time;
        if
        :: LEADS(i) && node[i].timer[j] == node[i].rests && node[i].left[j] == 0 -> over = i + 1
        :: else
        fi
      :: else
      fi
    }
  }
  for (i : 0 .. LINKS - 1) { due[i] = len(link[i]) }
  stage = DELIVERIES;
  normalise()
}

active proctype clock() {
end:
  do
  :: d_step { stage != DELIVERIES && over == 0 && time > 0 && time < NOT_YET -> tick() }
  od
}
