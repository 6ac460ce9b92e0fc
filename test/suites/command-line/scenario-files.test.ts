import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type Answer, builtShell, shell } from '../../support/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'conclave-scenario-files-'))
afterAll(() => rmSync(folder, { recursive: true }))
mkdirSync(join(folder, 'files'))
copyFileSync(
  new URL('../../fixtures/own-rings.ts', import.meta.url),
  join(folder, 'files', 'rings.ts'),
)
writeFileSync(join(folder, 'triangle.txt'), '0-1\n1-2\n2-0\n')

/** Writes a scenario; an object, or the text of the file. */
const file = (name: string, content: object | string) => {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}
const parsed = ({ code, out, err }: Answer) => {
  expect([err, code]).toEqual(['', 0])
  return JSON.parse(out)
}
const refused = async (...words: string[]) => {
  const { code, out, err } = await shell(...words)
  expect([code, out]).toEqual([2, ''])
  return err.replaceAll(folder, 'DIR')
}

const lecture = file(
  'lecture.json',
  `{
    // The worst ring of this algorithm.
    "title": "LCR at its worst",
    "notes": ["Ids fall in the direction of travel,", "so every id travels far."],
    "algorithm": "lcr",
    "topology": "ring:4",
    "ids": "decreasing", /* the other way round it is the best ring */
    "delay": "uniform:1:10",
  }`,
)
const NOTES = 'Ids fall in the direction of travel,\nso every id travels far.'

describe('a scenario file', () => {
  it('may have comments, a title and notes, which results show', async () => {
    const { scenario, messages } = parsed(await shell('run', lecture, '--json'))
    expect(scenario).toMatchObject({ title: 'LCR at its worst', notes: NOTES, ids: 'decreasing' })
    expect(messages.byType).toEqual({ election: 10, leader: 4 })
    const { out } = await shell('run', lecture)
    expect(out.split('\n').slice(0, 5)).toEqual([
      'LCR at its worst',
      ...NOTES.split('\n'),
      '',
      'lcr  ring:4 · asynchronous, delay uniform:1:10, fifo · seed 1',
    ])
  })

  it('takes the data that the library takes, as well as the short text', async () => {
    const data = {
      crash: [
        { node: 3, at: 2 },
        { share: 0.5, at: 40 },
      ],
      recover: [{ node: 3, at: 20, amnesia: true }],
      cut: [[0, 1], { link: [1, 2], from: 3, to: 9, oneWay: true }],
      partition: [
        {
          groups: [
            [0, 1],
            [2, 3],
          ],
          from: 10,
          to: 14,
        },
      ],
      suspect: [2],
      tamper: [{ drop: 3 }, { arrive: 5, at: 9 }],
      wake: [0, { node: 1, at: 1 }],
      delay: { model: 'uniform', from: 1, to: 3 },
    }
    const text = {
      crash: '3@2,0.5@40',
      recover: '3@20:amnesia',
      cut: '0-1,1to2@3..9',
      partition: '0,1/2,3@10..14',
      suspect: '2',
      tamper: 'drop:3,arrive:5@9',
      wake: '0,1@1',
      delay: 'uniform:1:3',
    }
    const world = { algorithm: 'bully', n: 4, until: 200 }
    const [one, other] = await Promise.all(
      [data, text].map((fields, i) =>
        shell('run', file(`written-${i}.json`, { ...world, ...fields }), '--json'),
      ),
    )
    const result = JSON.parse(one.out)
    expect({ ...result, speed: null }).toEqual({ ...JSON.parse(other.out), speed: null })
    expect(result.scenario).toMatchObject(text)
    const wrong = file('wrong.json', { ...world, crash: [{ node: 1, when: 2 }] })
    expect(await refused('run', wrong)).toContain(
      'DIR/wrong.json: crash[0]: cannot read {"node":1,"when":2}. Write for example crash: [',
    )
  })

  it('is explored by check, whose flags are fields, too', async () => {
    const whole = parsed(await shell('check', lecture, '--json'))
    const flags = ['-n', '4', '--ids', 'decreasing', '--json']
    const same = parsed(await shell('check', 'lcr', ...flags))
    expect([whole.states, whole.transitions]).toEqual([same.states, same.transitions])
    expect(whole.file).toEqual({ path: lecture, title: 'LCR at its worst', notes: NOTES })
    const { out } = await shell('check', lecture)
    expect(out).toMatch(
      /^Every interleaving explored\n {2}lcr on [\s\S]*?\n {2}LCR at its worst\n {2}Ids fall/,
    )
    const lossy = file('lossy.json', { algorithm: 'lcr', n: 3, ids: 'all', losses: 1 })
    const { code, out: text } = await shell('check', lossy, '--json')
    const { violated, arrangements } = JSON.parse(text)
    expect([code, arrangements]).toEqual([1, 1])
    // The file has the rest.
    expect(violated.command).toBe(`conclave check ${lossy} --ids 3,1,2`)
    expect((await shell('check', lossy, '--ids', '3,1,2')).code).toBe(1)
  })

  it('has fields that a sweep overrides, but not one that a flag gives too', async () => {
    const sized = file('sized.json', { algorithm: 'lcr', n: 5, ids: 'decreasing', seed: 3 })
    const asked = ['--sweep', 'n=3,4', '--measure', 'cost', '--json']
    const { points } = parsed(await shell('experiment', sized, ...asked))
    expect(points.map(({ point }: { point: { n: number } }) => point.n)).toEqual([3, 4])
    expect(await refused('experiment', sized, '-n', '4', '--sweep', 'n=3,4')).toContain(
      'n is both swept and given one value.',
    )
  })

  it('is the base of an experiment', async () => {
    const result = parsed(
      await shell('experiment', lecture, '--sweep', 'wake=all,0', '--measure', 'cost', '--json'),
    )
    expect(result).toMatchObject({ title: 'LCR at its worst', discussion: NOTES })
    const cost = { measures: { cost: { mean: 10 } } }
    expect(result.points).toMatchObject([cost, cost])
  })

  it.each(['run', 'check'])('is overridden by flags of %s', async (verb) => {
    const flags = ['--ids', '1,2,3,4', '--json']
    const own = parsed(await shell(verb, lecture, ...flags))
    const delay = verb === 'run' ? ['--delay', 'uniform:1:10'] : []
    const other = parsed(await shell(verb, 'lcr', ...delay, ...flags))
    const cost = (result: typeof own) => [result.messages?.total, result.states]
    expect(cost(own)).toEqual(cost(other))
    expect(cost(own)).not.toEqual([undefined, undefined])
  })

  it('that run has printed can be used again, with all defaults', async () => {
    const { scenario, messages } = parsed(await shell('run', lecture, '--json'))
    const echo = file('echo.json', scenario)
    expect(parsed(await shell('run', echo, '--json'))).toMatchObject({ scenario, messages })
    expect(parsed(await shell('check', echo, '--json'))).toMatchObject({ violated: null })
  })

  it('finds own algorithms and networks beside it', async () => {
    const own = file('own.json', { algorithm: './files/rings.ts#first', n: 3 })
    for (const verb of ['run', 'check']) {
      const result = parsed(await builtShell(verb, own, '--json'))
      const name = result.algorithm ?? result.scenario.algorithm
      expect(name).toMatch(/files\/rings\.ts#first$/)
    }
    const roles = file('roles.json', {
      algorithm: 'lcr',
      n: 3,
      role: ['a=files/rings.ts#second', { name: 'b', algorithm: './files/rings.ts#first' }],
    })
    expect(Object.keys(parsed(await builtShell('run', roles, '--json')).roles)).toEqual(['a', 'b'])
    const network = file('network.json', { algorithm: 'wireless', topology: 'file:triangle.txt' })
    expect(parsed(await shell('run', network, '--json'))).toMatchObject({ n: 3, links: 3 })
    expect(parsed(await shell('check', network, '--json'))).toMatchObject({ violated: null })
  })
})

describe('a field that a command cannot use', () => {
  it.each<[string, object, string]>([
    [
      'check',
      { loss: 0.1 },
      'DIR/a.json: loss: conclave check cannot do this. Leave it out, and us',
    ],
    ['check', { again: 30 }, 'DIR/a.json: again: conclave check cannot do this. Leave it out, or'],
    ['check', { topolgy: 'ring:3' }, 'DIR/a.json: topolgy: a scenario has no field "topolgy" for'],
    ['check', { n: null }, 'DIR/a.json: n: null is not a value.'],
    ['check', { ids: [1, 1] }, 'DIR/a.json: ids: '],
    ['check', { title: 7 }, 'DIR/a.json: title: expected a text, got 7.'],
    ['run', { notes: [1] }, 'DIR/a.json: notes: expected a text, or a list of lines, got 1.'],
    [
      'run',
      { losses: 1 },
      'DIR/a.json: losses: a scenario has no field "losses". Did you mean los',
    ],
    [
      'cluster',
      { loss: 0.1 },
      'DIR/a.json: loss: conclave cluster cannot do this. Leave it out, o',
    ],
    ['cluster', { crash: '1' }, 'DIR/a.json: crash: conclave cluster cannot do this. Leave it out'],
    ['cluster', { timing: 'sync' }, 'DIR/a.json: timing: conclave cluster cannot do this.'],
    [
      'cluster',
      { topology: 'complete:3', algorithm: 'gossip-max', values: 'high' },
      'DIR/a.json: v',
    ],
    [
      'cluster',
      { algorithm: 'lcr', topology: 'path:3' },
      'DIR/a.json: topology: lcr needs a ring network',
    ],
    [
      'experiment',
      { algorithm: 7 },
      'DIR/a.json: algorithm: 7 is neither a name from conclave list',
    ],
  ])('is refused by %s: %j', async (verb, fields, says) => {
    const path = file('a.json', { algorithm: 'lcr', ...fields })
    expect(await refused(verb, path)).toContain(says)
  })

  it('is refused with line and column where it is no JSON', async () => {
    const path = file('broken.json', '{\n  "algorithm": "lcr",\n  "n": 3\n  "ids": "same"\n}')
    for (const verb of ['run', 'check', 'cluster', 'experiment', 'lab'])
      expect(await refused(verb, path)).toMatch(/^DIR\/broken\.json:4:3: this is not valid JSON: /)
  })
})
