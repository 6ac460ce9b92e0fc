import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { builtShell } from '../../support/run-command.ts'

/*
 * A field that is not declared is no part of a state: states that differ in nothing else would be
 * taken for the same, and the checker would tell of a circle that the code cannot go round.
 */

const folder = mkdtempSync(join(tmpdir(), 'conclave-undeclared-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Leads on the second lap of its token. */
const LAPS = `import { algorithm, left, message, nat, uid } from 'conclave'
const ELECTION = message({ id: uid })
const LEADER = message({ id: uid })
export default algorithm({
  name: 'laps',
  needs: { topology: 'ring', ids: 'unique' },
  messages: { ELECTION, LEADER },
  state: {},
  wakes: true,
  start(my, net) {
    net.send(left, ELECTION, { id: my.id })
  },
  on: {
    ELECTION(my, { id }, net) {
      if (id > my.id) net.send(left, ELECTION, { id })
      if (id !== my.id) return
      my.laps = (my.laps ?? 0) + 1
      if (my.laps < 2) return net.send(left, ELECTION, { id })
      net.lead()
      net.send(left, LEADER, { id })
    },
    LEADER(my, { id }, net) {
      if (id !== my.id) net.follow(id)
      if (id !== my.id) net.send(left, LEADER, { id })
      net.stop()
    },
  },
})
`

const check = (name: string, source: string, ...flags: string[]) => {
  const file = join(folder, name)
  writeFileSync(file, source)
  return builtShell('check', file, '-n', '3', ...flags)
}

describe('a field that is not declared', () => {
  it.each([[[]], [['--ids', 'all']], [['--states', '4', '--walk', '5']], [['--no-types']]])(
    'is named with its line: %j',
    async (flags) => {
      const { code, out, err } = await check('laps.js', LAPS, ...flags)
      expect([code, out]).toEqual([2, ''])
      expect(err).toMatch(/laps\.js:17:\d+: .*my\.laps.*Add it to state/)
    },
  )

  it('is right once it is declared', async () => {
    const declared = LAPS.replace('state: {}', 'state: { laps: nat }')
    expect((await check('declared.js', declared)).code).toBe(0)
  })
})
