import type { Leader } from '../../coordinator/node.ts'
import {
  LOG_LEVELS,
  type LogEntry,
  type LogHook,
  type LogLevel,
} from '../../coordinator/operations/log.ts'

/** Writes entries of a log as lines, from a level on. */
export function logLines(
  form: 'text' | 'json' | 'off',
  least: LogLevel,
  write: (text: string) => void,
  now: () => Date = () => new Date(),
): LogHook {
  const weight = (level: LogLevel) => LOG_LEVELS.indexOf(level)
  return (entry) => {
    if (form === 'off' || weight(entry.level) < weight(least)) return
    const time = now().toISOString()
    write(`${form === 'json' ? JSON.stringify({ time, ...entry }) : textLine(time, entry)}\n`)
  }
}

/** `12:01:02.345 warn  cron: the lease was not renewed in time (term 7, 3 times more)` */
function textLine(time: string, entry: LogEntry): string {
  const { level, event: _, message, role, repeated, ...more } = entry
  const facts = Object.entries(more)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${name} ${value}`)
  if (repeated !== undefined) facts.push(`${repeated} times more`)
  const subject = role === undefined ? '' : `${role}: `
  const rest = facts.length === 0 ? '' : ` (${facts.join(', ')})`
  // What others sent must not move the cursor or colour the terminal.
  const line = `${subject}${message}${rest}`.replace(/\p{Cc}/gu, '?')
  return `${time.slice(11, 23)} ${level.padEnd(5)} ${line}`
}

/** Who leads a role, for people. */
export function leaderText(
  role: string,
  leader: Leader | null,
  me: string,
  pid: number | null,
): string {
  if (leader === null) return `${role}: nobody is known to lead`
  const { id, term } = leader
  const facts = [...(id === me ? ['this member'] : []), ...(pid === null ? [] : [`pid ${pid}`])]
  const who = facts.length === 0 ? id : `${id} (${facts.join(', ')})`
  return `${role}: ${who} leads, term ${term}`
}

/** The same for programs. */
export function leaderJson(
  role: string,
  leader: Leader | null,
  leads: boolean,
  pid: number | null,
): string {
  const { id = null, term = null } = leader ?? {}
  return JSON.stringify({ event: 'leader', role, leader: id, term, leads, pid })
}
