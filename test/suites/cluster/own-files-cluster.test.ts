import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { builtShell } from '../../support/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'conclave own clusters '))
afterAll(() => rmSync(folder, { recursive: true }))
const rings = join(folder, 'rings.ts')
copyFileSync(new URL('../../fixtures/own-rings.ts', import.meta.url), rings)
const range = join(folder, 'range.ts')
copyFileSync(new URL('../../../examples/range.ts', import.meta.url), range)

const result = async (...words: string[]) => {
  const { out, err, code } = await builtShell(...words, '--json')
  expect([err, code]).toEqual(['', 0])
  return JSON.parse(out)
}

describe('processes of an own file', () => {
  it('load it by themselves and elect as the simulator does', { timeout: 120_000 }, async () => {
    const reference = `${rings}#second`
    const cluster = await result('cluster', reference, '--ids', '3,1,2')
    const simulated = await result('run', reference, '--ids', '3,1,2')
    expect(cluster).toMatchObject({ algorithm: reference, agreed: true, leader: { id: 3 } })
    expect(cluster.messages).toEqual({
      total: simulated.messages.total,
      byType: simulated.messages.byType,
    })
  })

  it('take a scenario file, whose algorithm lies beside it', { timeout: 120_000 }, async () => {
    const path = join(folder, 'lecture.json')
    writeFileSync(
      path,
      `{ "title": "Two", // processes
         "algorithm": "rings.ts#first", "topology": "ring:2",
         "ids": [5, 8], "delay": "constant:3" }`,
    )
    const { file, leader, n } = await result('cluster', path)
    expect({ file, leader, n }).toEqual({
      file: { path, title: 'Two' },
      leader: { node: 1, id: 8 },
      n: 2,
    })
  })

  it('compute an own aggregation', { timeout: 120_000 }, async () => {
    const flags = ['--values', '3,1,5', '--until', '8', '--set', 'period=2']
    const { algorithm, truth, within } = await result('cluster', range, ...flags)
    expect({ algorithm, truth, within }).toEqual({ algorithm: range, truth: 4, within: 1 })
  })

  it('end with the mistake of a handler, in its file', { timeout: 120_000 }, async () => {
    const path = join(folder, 'wrong.js')
    writeFileSync(
      path,
      `import { algorithm, left, message, uid } from 'conclave'
const TOKEN = message({ id: uid })
export default algorithm({
  name: 'wrong',
  needs: { topology: 'ring', ids: 'unique' },
  messages: { TOKEN },
  state: {},
  wakes: true,
  start(my, net) {
    net.send(left, TOKEN, { id: my.id })
  },
  on: {
    TOKEN(my) {
      my.seen = true
    },
  },
})
`,
    )
    const { code, out, err } = await builtShell('cluster', path, '-n', '2')
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(/wrong\.js:14:\d+: .*my\.seen is not available/)
  })
})
