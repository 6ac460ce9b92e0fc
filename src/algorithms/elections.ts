/* One line per algorithm: being named here is being in the catalogue. */
export { afekGafni } from './complete/afek-gafni.ts'
export { bully } from './complete/bully.ts'
export { quorumLease } from './complete/lease/quorum-lease.ts'
export { omega } from './complete/omega.ts'
export { raft } from './complete/raft.ts'
export { ringList } from './complete/ring-list.ts'
export { singh } from './complete/singh.ts'
export { echoExtinction } from './graph/echo-extinction.ts'
export { ghs } from './graph/ghs.ts'

<<<<<<< HEAD

export { stabilizing } from './graph/stabilizing.ts'

=======

export { hyperElect } from './graph/hyper-elect.ts'
export { tree } from './graph/tree.ts'

>>>>>>> trees

export { treeAggregate } from './graph/tree-aggregate.ts'
export { treeCoin } from './graph/tree-coin.ts'
export { wireless } from './graph/wireless.ts'
export { alternatingSteps } from './ring/alternating-steps.ts'
export { changRoberts } from './ring/chang-roberts.ts'
export { franklin } from './ring/franklin.ts'
export { hirschbergSinclair } from './ring/hirschberg-sinclair.ts'
export { hirschbergSinclairOneWay } from './ring/hirschberg-sinclair-one-way.ts'
export { itaiRodeh } from './ring/itai-rodeh.ts'
export { itaiRodehBare } from './ring/itai-rodeh-bare.ts'
export { itaiRodehBit } from './ring/itai-rodeh-bit.ts'
export { lcr } from './ring/lcr.ts'
export { leLann } from './ring/le-lann.ts'
export { peterson } from './ring/peterson.ts'
export { slowFast } from './ring/slow-fast.ts'
export { timeSlice } from './ring/time-slice.ts'
export { uniAlternate } from './ring/uni-alternate.ts'
