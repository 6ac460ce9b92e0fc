/* One line per algorithm: being named here is being in the catalogue. */
export { changRoberts } from './ring/chang-roberts.ts'
export { franklin } from './ring/franklin.ts'
export { hirschbergSinclair } from './ring/hirschberg-sinclair.ts'
export { hirschbergSinclairOneWay } from './ring/hirschberg-sinclair-one-way.ts'
export { lcr } from './ring/lcr.ts'
export { peterson } from './ring/peterson.ts'
export { slowFast } from './ring/slow-fast.ts'
export { timeSlice } from './ring/time-slice.ts'
