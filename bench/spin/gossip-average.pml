/*
 * Push-pull averaging where each node begins one exchange: src/algorithms/gossip/gossip.ts with
 * gossip-average and `--set exchanges=1`. README.md says what all models share. IDS are the values
 * of the nodes. Numbers are whole multiples of 2^-N: a number is halved at most once by each of the
 * N exchanges. Without reductions: as many states as
 * `conclave check gossip-average --values ... --set exchanges=1 --reduction off`.
 */
#if N < 2 || N > 6
#error "The model is written for 2 to 6 nodes."
#endif
mtype = { PUSH, ANSWER };

/* The link from one position to another. */
#define LINK(from, to) link[(to) * N + (from)]
chan link[N * N] = [2] of { mtype, int };
hidden byte values[N] = { IDS };
hidden int number, moved, sum;
hidden mtype kind;
hidden byte i;

int estimate[N];
/* Exchanges that are over: when all are, the sum is that of the values. */
byte over;

inline start() {
  estimate[_pid] = values[_pid] << N
}

inline handle(from) {
  if
  :: kind == PUSH ->
    moved = (number - estimate[_pid]) / 2;
    assert(2 * moved == number - estimate[_pid]);
    estimate[_pid] = estimate[_pid] + moved;
    LINK(_pid, from)!ANSWER(0 - moved)
  :: kind == ANSWER ->
    estimate[_pid] = estimate[_pid] + number;
    over++;
    if
    :: over == N ->
      sum = 0;
      for (i : 0 .. N - 1) { sum = sum + estimate[i] - (values[i] << N) }
      assert(sum == 0)
    :: else
    fi
  fi
}

/* Begins the exchange of this node, with another one. */
#define TICK(to) \
  :: d_step { awake && !begun && to != _pid -> begun = true; LINK(_pid, to)!PUSH(estimate[_pid]) }
#define RECEIVE(from) \
  :: d_step { \
    LINK(from, _pid)?kind(number) -> \
    if \
    :: !awake -> awake = true; start() \
    :: else \
    fi; \
    handle(from) \
  }
#define WITH(position) TICK(position) RECEIVE(position)

active [N] proctype node() {
  bool awake, begun;

end:
  do
  :: d_step { !awake -> awake = true; start() }
  WITH(0)
  WITH(1)
#if N > 2
  WITH(2)
#endif
#if N > 3
  WITH(3)
#endif
#if N > 4
  WITH(4)
#endif
#if N > 5
  WITH(5)
#endif
  od
}
