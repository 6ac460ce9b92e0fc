/*
 * Peterson; Dolev, Klawe and Rodeh: src/algorithms/ring/peterson.ts. README.md says what all models
 * share. Without reductions: as many states as `conclave check peterson --reduction off`.
 */
mtype = { ELECTION, LEADER };

/* The link into each position, from the position before it. */
chan link[N] = [N] of { mtype, byte };
hidden byte ids[N] = { IDS };
local byte leaders;

inline start() {
  value = me;
  out!ELECTION(value)
}

inline announce() {
  leader = id;
  if
  :: id == me -> leaders++; assert(leaders == 1)
  :: else
  fi;
  out!LEADER(id)
}

inline handle() {
  if
  :: stopped
  :: else ->
    if
    :: kind == ELECTION && passive -> out!ELECTION(id)
    :: kind == ELECTION && !passive && first == 0 ->
      if
      :: id == value -> finisher = true; announce()
      :: else -> first = id; out!ELECTION(id)
      fi
    :: kind == ELECTION && !passive && first != 0 ->
      if
      :: first > value && first > id -> value = first; out!ELECTION(value)
      :: else -> passive = true
      fi;
      first = 0
    :: kind == LEADER ->
      if
      :: !finisher -> announce()
      :: else
      fi;
      stopped = true
    fi
  fi;
  kind = 0; id = 0
}

active [N] proctype node() {
  byte me = ids[_pid];
  chan in = link[_pid];
  chan out = link[(_pid + 1) % N];
  xr in;
  xs out;
  mtype kind;
  byte id, leader, value, first;
  bool passive, finisher, stopped;

#ifndef EAGER
  if
  :: d_step { start() }
  :: d_step { in?kind(id) -> start(); handle() }
  fi;
#else
  d_step { start() };
#endif
end:
  do
  :: d_step { in?kind(id) -> handle() }
  od
}
