/*
 * LCR (Le Lann, Chang and Roberts): src/algorithms/ring/lcr.ts. README.md says what all models
 * share. Without reductions: as many states as `conclave check lcr --ids ... --reduction off`.
 */
mtype = { ELECTION, LEADER };

/* The link into each position, from the position before it. */
chan link[N] = [N] of { mtype, byte };
hidden byte ids[N] = { IDS };
local byte leaders;

inline start() {
  out!ELECTION(me)
}

inline handle() {
  if
  :: stopped
  :: else ->
    if
    :: kind == ELECTION ->
      if
      :: id > me -> out!ELECTION(id)
      :: id == me -> leader = me; leaders++; assert(leaders == 1); out!LEADER(id)
      :: else
      fi
    :: kind == LEADER ->
      if
      :: id != me -> leader = id; out!LEADER(id)
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
  byte id, leader;
  bool stopped;

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
