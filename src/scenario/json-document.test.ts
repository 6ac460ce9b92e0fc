import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJsonDocument } from './json-document.ts'

describe('a JSON document', () => {
  it('is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        expect(parseJsonDocument(text, 'a.json')).toEqual(JSON.parse(text))
      }),
    )
  })

  it('may have comments, and commas after the last entry', () => {
    const text = `// a slide
      { "ids": [3, 1, /* the middle */ 2,], // three
        "title": "a // b /* c */", "set": {}, }
      /* the end */`
    expect(parseJsonDocument(text, 'a.json')).toEqual({
      ids: [3, 1, 2],
      title: 'a // b /* c */',
      set: {},
    })
  })

  it.each([
    ['', 'a.json: the file is empty.'],
    [' \n\t', 'a.json: the file is empty.'],
    ['{\n  "n": 3\n  "ids": 4\n}', 'a.json:3:3: this is not valid JSON: expected a comma or }, b'],
    ['{"n" 3}', 'a.json:1:6: this is not valid JSON: expected a colon after "n", before 3}.'],
    ['{n: 3}', 'a.json:1:2: this is not valid JSON: the name n is not in quotation marks.'],
    ['{"n": three}', 'a.json:1:7: this is not valid JSON: three is not a value. Put texts'],
    ['{"n": 3', 'a.json:1:8: this is not valid JSON: expected a comma or }, but the file ends.'],
    ['[1, 2', 'a.json:1:6: this is not valid JSON: expected a comma or ], but the file ends.'],
    ['{"n": 1, "n": 2}', 'a.json:1:10: this is not valid JSON: the field "n" is there twice.'],
    ['{"n": "a', 'a.json:1:7: this is not valid JSON: the text has no closing quotation mark'],
    ['{"n": "\\x"}', 'a.json:1:7: this is not valid JSON: "\\x" is not a text of JSON.'],
    ['{} {}', 'a.json:1:4: this is not valid JSON: {} comes after the end of the document.'],
    ['/* a', 'a.json:1:1: this is not valid JSON: the comment has no end.'],
    ['[,]', 'a.json:1:2: this is not valid JSON: expected a value or ], before ,].'],
    ['[1,,2]', 'a.json:1:4: this is not valid JSON: expected a value or ], before ,2].'],
    ['['.repeat(501), 'a.json:1:501: this is not valid JSON: more than 500 brackets are open.'],
    ['[01]', 'a.json:1:3: this is not valid JSON: expected a comma or ], before 1].'],
  ])('%j is refused with its line and column', (text, says) => {
    expect(() => parseJsonDocument(text, 'a.json')).toThrow(says)
  })
})
