import { Command } from 'commander'
import type { Io, Leave } from '../io.ts'

export function checkCommand(_io: Io, _leave: Leave): Command {
  return new Command('check')
}
