import { expect, it } from 'vitest'
import { parseLesson } from './parse-lesson.ts'

const TOP = `---
summary: A sentence.
minutes: 5
picture: ring
sources: Lynch 1996; Le Lann 1977
---

# A title

Text.
`

const RING = '```scenario speed=2 at=end show=diagram,counts\n{"algorithm": "lcr", "n": 4}\n```\n'

function lesson(body: string, top = TOP) {
  return parseLesson(top + body, '03-mine.md')
}

it('reads facts, texts, scenarios, questions and tasks in order', () => {
  const read = lesson(`${RING}
More.
\`\`\`js
code()
\`\`\`
\`\`\`question
How many?

with: {"n": 5}
answer: messages.election
tolerance: 15%
explanation: So many,
  and no more.
\`\`\`
\`\`\`question
Which?
- [ ] the first
  of all
- [x] the last
explanation: That one.
\`\`\`
\`\`\`task
Do it.
with: {"ids": "random", "n": null}
fields: ids, seed
actions: crash
goal: {"messages": {"atLeast": 3}, "leader": 4}
solution: [{"ids": "increasing"}, {"what": "crash", "node": 1, "at": 2}]
explanation: Done.
\`\`\`
`)
  expect(read).toMatchObject({
    ...{ slug: 'mine', number: 3, title: 'A title', minutes: 5, picture: 'ring' },
    sources: ['Lynch 1996', 'Le Lann 1977'],
  })
  const [, ring, prose, many, which, task] = read.parts
  expect(ring).toMatchObject({ line: 11, speed: 2, at: 'end', show: ['diagram', 'counts'] })
  expect(prose).toEqual({ kind: 'text', markdown: 'More.\n```js\ncode()\n```' })
  expect(many).toMatchObject({
    ...{ text: 'How many?', scenario: { algorithm: 'lcr', n: 5 }, answer: 'messages.election' },
    tolerance: { by: 0.15, share: true },
    explanation: 'So many,\nand no more.',
  })
  expect(which).toMatchObject({
    answer: null,
    choices: [
      { text: 'the first of all', right: false },
      { text: 'the last', right: true },
    ],
  })
  expect(task).toMatchObject({
    ...{ scenario: { algorithm: 'lcr', ids: 'random' }, fields: ['ids', 'seed'] },
    ...{ actions: ['crash'], hint: null },
    goal: [
      ['messages', { atLeast: 3 }],
      ['leader', { equals: 4 }],
    ],
    solution: {
      fields: { ids: 'increasing' },
      changes: [{ what: 'crash', node: 1, at: 2 }],
    },
  })
})

const TASK = (fields: string) => `${RING}\`\`\`task\nDo it.\n${fields}\n\`\`\`\n`

it.each([
  ['---\nminutes: 5\n', '', '03-mine.md:1: the facts do not end.'],
  [
    TOP.replace('minutes: 5', 'minuts: 5'),
    '',
    '03-mine.md:3: a lesson has no minuts. Did you mean',
  ],
  [
    TOP.replace('minutes: 5', 'minutes: long'),
    '',
    '03-mine.md:3: long is not a number of minutes.',
  ],
  [
    TOP.replace(': ring', ': rings'),
    '',
    '03-mine.md:4: there is no picture rings. Did you mean ring?',
  ],
  [TOP.replace('# A title', 'A title'), '', '03-mine.md:8: the title is missing.'],
  [TOP.replace('minutes: 5\n', ''), '', '03-mine.md:1: the lesson has no minutes.'],
  [TOP, '```scenario\n{}', '03-mine.md:11: the block does not end.'],
  [TOP, '```scenaro\n{}\n```', '03-mine.md:11: there is no block scenaro. Write scenario.'],
  [TOP, '```scenario\n{"n": }\n```', '03-mine.md:12:7: this is not valid JSON'],
  [TOP, '```scenario fast\n{}\n```', '03-mine.md:11: a scenario has no fast.'],
  [TOP, '```scenario show=maps\n{}\n```', '03-mine.md:11: maps is not one of counts'],
  [TOP, '```question\nWhy?\nexplanation: So.\n```', '03-mine.md:11: the question has no answer.'],
  [TOP, '```question\nWhy?\nanswer: 3\n```', '03-mine.md:11: the block has no explanation.'],
  [TOP, '```question\nWhy?\nanswer: time\n```', '03-mine.md:13: there is no scenario above.'],
  [
    TOP,
    `${RING}\`\`\`question\nWhy?\nanswer: mesages\n\`\`\``,
    '03-mine.md:16: mesages is neither',
  ],
  [TOP, `${RING}\`\`\`question\nWhy?\nanswer: states\n\`\`\``, '03-mine.md:16: states is found by'],
  [TOP, '```question\nWhy?\nanwser: 3\n```', '03-mine.md:13: there is no field anwser here. Did'],
  [TOP, TASK('goal: {"messages": 3}'), '03-mine.md:14: nothing may be changed.'],
  [TOP, TASK('fields: ids'), '03-mine.md:14: the block has no goal.'],
  [TOP, TASK('fields: ids\ngoal: {"message": 3}'), '03-mine.md:17: there is no quantity message.'],
  [
    TOP,
    TASK('fields: ids\ngoal: {"n": {"atLest": 3}}'),
    '03-mine.md:17: there is no condition atLest',
  ],
  [
    TOP,
    TASK('fields: ids\ngoal: {"n": {"near": 3}}'),
    '03-mine.md:17: n: near and by go together.',
  ],
  [TOP, TASK('actions: crsh\ngoal: {"n": 3}'), '03-mine.md:16: crsh is not one of crash'],
])('reports mistakes with file and line: %#', (top, body, message) => {
  expect(() => lesson(body, top)).toThrow(message)
})

it('wants a number and a name', () => {
  expect(() => parseLesson(TOP, 'mine.md')).toThrow('the name is not that of a lesson.')
  expect(() => parseLesson(TOP, 'de/03-mine.md')).toThrow('the name is not that of a lesson.')
})
