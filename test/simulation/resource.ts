import { Fence, type FenceStore, type FencingToken } from '../../src/coordinator/storage/fence.ts'
import type { Oracle } from './oracle.ts'
import type { VirtualProcess } from './world/machine.ts'

/** A resource that all leaders write to, behind the fence of the product. */
export interface ResourceFence {
  write(token: number, process: VirtualProcess): Promise<void>
}

/** Its mark survives everything, as that of a database does. */
function memoryStore(): FenceStore {
  let mark: FencingToken | null = null
  return {
    read: async () => mark,
    compareAndSet: async (before, after) => {
      if (before?.token !== mark?.token || before?.holder !== mark?.holder) return false
      mark = after
      return true
    },
  }
}

export function fenceOf(oracle: Oracle): ResourceFence {
  const opened = Fence.open(memoryStore())
  return {
    async write(token, process) {
      const holder = `${process.machine.name}/${process.number}`
      const fence = await opened
      await fence
        .run({ token, holder }, () => {})
        .then(
          () => oracle.wrote(token, process, true),
          () => oracle.wrote(token, process, false),
        )
    },
  }
}
