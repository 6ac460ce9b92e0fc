import { Command } from 'commander'
import type { Io, Leave } from '../io.ts'

export function clusterCommand(_io: Io, _leave: Leave): Command {
  return new Command('cluster')
}
