/*
 * Franklin: src/algorithms/ring/franklin.ts. README.md says what all models share.
 * Without reductions: as many states as `conclave check franklin --reduction off`.
 */
mtype = { ELECTION, LEADER };

/* The links into each position: from the position before it, and from the one after it. */
chan leftward[N] = [N + 2] of { mtype, byte };
chan rightward[N] = [N + 2] of { mtype, byte };
hidden byte ids[N] = { IDS };
local byte leaders;

#define LEFT 0
#define RIGHT 1

inline start() {
  toLeft!ELECTION(me);
  toRight!ELECTION(me)
}

inline handle(from, onward) {
  if
  :: stopped
  :: else ->
    if
    :: kind == ELECTION && passive -> onward!ELECTION(id)
    :: kind == ELECTION && !passive ->
      if
      :: id == me && leader == me
      :: id == me && leader != me ->
        leader = me; leaders++; assert(leaders == 1); toLeft!LEADER(id)
      :: id != me && heard == 0 -> heard = id; side = from
      :: id != me && heard != 0 && from == side -> early = id
      :: id != me && heard != 0 && from != side ->
        if
        :: me > id && me > heard ->
          start();
          heard = early
        :: else ->
          passive = true;
          if
          :: early != 0 && side == LEFT -> toRight!ELECTION(early)
          :: early != 0 && side == RIGHT -> toLeft!ELECTION(early)
          :: else
          fi;
          heard = 0
        fi;
        early = 0
      fi
    :: kind == LEADER ->
      if
      :: id == me -> stopped = true
      :: else -> leader = id; toLeft!LEADER(id)
      fi
    fi
  fi;
  kind = 0; id = 0
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
  byte id, leader, heard, early;
  bit side;
  bool passive, stopped;

#ifndef EAGER
  if
  :: d_step { start() }
  :: d_step { fromRight?kind(id) -> start(); handle(RIGHT, toLeft) }
  :: d_step { fromLeft?kind(id) -> start(); handle(LEFT, toRight) }
  fi;
#else
  d_step { start() };
#endif
end:
  do
  :: d_step { fromRight?kind(id) -> handle(RIGHT, toLeft) }
  :: d_step { fromLeft?kind(id) -> handle(LEFT, toRight) }
  od
}
