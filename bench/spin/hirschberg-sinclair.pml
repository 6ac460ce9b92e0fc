/*
 * Hirschberg and Sinclair: src/algorithms/ring/hirschberg-sinclair.ts. README.md says what all
 * models share. Without reductions: as many states as `conclave check hirschberg-sinclair
 * --reduction off`.
 */
mtype = { PROBE, REPLY, LEADER };

/* The links into each position: from the position before it, and from the one after it. */
chan leftward[N] = [N + 2] of { mtype, byte, byte, byte };
chan rightward[N] = [N + 2] of { mtype, byte, byte, byte };
hidden byte ids[N] = { IDS };
local byte leaders;

inline probe(newPhase) {
  toLeft!PROBE(me, newPhase, 1);
  toRight!PROBE(me, newPhase, 1)
}

inline handle(back, onward, answered) {
  if
  :: stopped
  :: else ->
    if
    :: kind == PROBE ->
      if
      :: id > me && hops < (1 << phase) -> onward!PROBE(id, phase, hops + 1)
      :: id > me && hops >= (1 << phase) -> back!REPLY(id, phase, 0)
      :: id == me && leader != me ->
        leader = me; leaders++; assert(leaders == 1); toLeft!LEADER(id, 0, 0)
      :: else
      fi
    :: kind == REPLY && id != me -> onward!REPLY(id, phase, 0)
    :: kind == REPLY && id == me ->
      answered = true;
      if
      :: answeredLeft && answeredRight ->
        answeredLeft = false; answeredRight = false;
        probe(phase + 1)
      :: else
      fi
    :: kind == LEADER ->
      if
      :: id == me -> stopped = true
      :: else -> leader = id; toLeft!LEADER(id, 0, 0)
      fi
    fi
  fi;
  kind = 0; id = 0; phase = 0; hops = 0
}

active [N] proctype node() {
  byte me = ids[_pid];
  chan fromRight = leftward[_pid];
  chan fromLeft = rightward[_pid];
  chan toLeft = leftward[(_pid + 1) % N];
  chan toRight = rightward[(_pid + N - 1) % N];
  xr fromRight;
  xr fromLeft;
  xs toLeft;
  xs toRight;
  mtype kind;
  byte id, phase, hops, leader;
  bool answeredLeft, answeredRight, stopped;

#ifndef EAGER
  if
  :: d_step { probe(0) }
  :: d_step { fromRight?kind(id, phase, hops) -> probe(0); handle(toRight, toLeft, answeredRight) }
  :: d_step { fromLeft?kind(id, phase, hops) -> probe(0); handle(toLeft, toRight, answeredLeft) }
  fi;
#else
  d_step { probe(0) };
#endif
end:
  do
  :: d_step { fromRight?kind(id, phase, hops) -> handle(toRight, toLeft, answeredRight) }
  :: d_step { fromLeft?kind(id, phase, hops) -> handle(toLeft, toRight, answeredLeft) }
  od
}
