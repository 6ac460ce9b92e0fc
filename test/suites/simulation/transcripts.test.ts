import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { shell } from '../../support/run-command.ts'

/*
 * Small elections as text that people can read and check by hand. After a wanted change of
 * behaviour UPDATE_TRANSCRIPTS=1 writes them again, and the difference can be read.
 */

const FOLDER = new URL('../../transcripts/', import.meta.url)

const TRANSCRIPTS: Readonly<Record<string, string>> = {
  'lcr-sleeper': 'run lcr --ids 2,4,1,3 --timing sync --wake 0,1,3 --trace -',
  'lcr-crash': 'run lcr --ids 2,4,1,3 --timing sync --crash 3@3 --detect off --trace -',
  'lcr-crash-detected': 'run lcr --ids 2,4,1,3 --timing sync --crash 3@3 --trace -',
  'bully-crash': 'run bully --ids 1,2,3,4 --crash 3@5 --trace -',
  'ring-list-two': 'run ring-list --ids 1,2,3,4 --wake 0,2 --trace -',
  'wireless-cut': 'run wireless -t edges:0-1,1-2,2-0 --ids 1,2,3 --cut 0-2@6 --trace -',
  'itai-rodeh-two': 'run itai-rodeh -n 2 --trace -',
  'lcr-equal-ids': 'run lcr -n 3 --ids same --trace -',
  'hirschberg-sinclair-two': 'run hirschberg-sinclair --ids 1,2 --trace -',
  'peterson-three': 'run peterson --ids 2,3,1 --trace -',
  'franklin-three': 'run franklin --ids 2,3,1 --trace -',
  'time-slice-three': 'run time-slice --ids 3,2,4 --trace -',
  'slow-fast-homework':
    'run slow-fast --ids 1,2,3,4,5,6,7,8 --wake 0@1,4@1,7@1,2@2 --timing sync --trace -',
  'check-lcr': 'check lcr --ids 2,3,1',
  'check-peterson-overtaking': 'check peterson --ids 3,1,4,2 --order any --allow-weaker',
}

describe('transcripts', () => {
  it.each(Object.entries(TRANSCRIPTS))('%s', async (name, line) => {
    const { out, err, code } = await shell(...line.split(' '))
    expect(err).toBe('')
    const lasting = out.replace(/, [\d.,]+ ms of CPU$/m, '')
    const text = `$ conclave ${line}\n${lasting}exit code ${code}\n`
    const file = new URL(`${name}.txt`, FOLDER)
    if (process.env.UPDATE_TRANSCRIPTS === '1') writeFileSync(file, text)
    expect(text).toBe(readFileSync(file, 'utf8'))
  })

  it('has no file that no test reads', () => {
    const names = Object.keys(TRANSCRIPTS).map((name) => `${name}.txt`)
    expect(readdirSync(FOLDER).toSorted()).toEqual(names.toSorted())
  })
})
