/** What `conclave check --help` says of runs as a whole, and of all permutations of the ids. */
export const COVERAGE_HELP = `
A run is fair if no message in flight, no timer that is set and no news of the detector is
ignored for ever; nobody must wake by itself, and nothing must go wrong. "Every fair run ends" is
broken by a run that goes round in circles and ignores nothing. Coins are not held against anybody:
where only unlucky ones keep a run going, it is not checked.
--draws K: what coins can make of a run may have no end. Then every run is explored in which no
node draws more than K times; one that takes more is followed to the last state before that, and
that runs end is not checked.
--ids all: every permutation of the ids 1 to n. Those that become each other when the network is
turned are tried once, where ids are only compared and nothing else tells positions apart. The
limits hold for all together.
--worst messages: what a run costs at most and at least, over all schedules. --worst time: in mode
clocked by the clock; else the longest chain of messages, each sent by the receiver of the one
before, which is at least the time that delays of at most one unit allow, and may be more.

  conclave check lcr -n 6 --ids all
  conclave check itai-rodeh -n 2 --draws 3
  conclave check chang-roberts -n 4 --worst messages`
