import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
// Loaded as in the server: messages for people must not replace those for the operator.
import '#server/core/request/request.ts'
import { CatalogueError, parseCatalogue } from '#server/llm/catalogue/models-file.ts'
import { buildCatalogueJsonSchema } from '#server/llm/catalogue/schema.ts'
import { findLine, insertItem, setValue } from '#server/llm/catalogue/json-text.ts'

const GOOD = `{
  "platforms": [
    { "name": "a", "alias": "甲", "dialect": "openai", "base_url": "http://127.0.0.1:1/v1" },
    { "name": "b", "alias": "乙 \\"}]", "dialect": "local" }
  ],
  "models": [
    {
      "id": "x",
      "name": "X",
      "type": "chat",
      "offers": [
        { "platform": "a", "model": "x", "input": 1, "output": 2 },
        { "platform": "b", "model": "x", "input": 1, "output": 2 }
      ]
    }
  ]
}`

test('a good file is read, with its defaults', () => {
  const [model] = parseCatalogue(GOOD).models
  expect(model).toMatchObject({ visible: true, guest: false, discount: 1, max_tokens: 4096 })
})

describe('a bad file is refused with the line and the reason', () => {
  test.each<[string, string, string, RegExp]>([
    ['a comma too many', '"乙 \\"}]", "dialect"', '"乙",, "dialect"', /^line 4: .*JSON/],
    [
      'an unknown platform',
      '"platform": "b"',
      '"platform": "c"',
      /^line 13: models\.0\.offers\.1\.platform: unknown platform c/,
    ],
    ['an unknown dialect', '"local"', '"grpc"', /^line 4: platforms\.1\.dialect/],
    [
      'a work for a platform that only chats',
      '"type": "chat"',
      '"type": "tts"',
      /^line 13: models\.0\.offers\.1\.platform: .* needs a platform of dialect openai/,
    ],
    ['a misspelt field', '"name": "X"', '"nmae": "X"', /^line (7|9): models\.0/],
    [
      'a field that is not known',
      '"type": "chat"',
      '"type": "chat",\n      "colour": 1',
      /^line 11: models\.0: .*colour/,
    ],
    [
      'a negative price',
      '"model": "x", "input": 1',
      '"model": "x", "input": -1',
      /^line 12: models\.0\.offers\.0\.input/,
    ],
    ['seven decimals', '"output": 2 },', '"output": 0.0000001 },', /^line 12: models\.0\.offers\.0\.output/],
    [
      'a platform without an address',
      ', "base_url": "http://127.0.0.1:1/v1"',
      '',
      /^line 3: platforms\.0: .*base_url/,
    ],
    [
      'an address that is none',
      'http://127.0.0.1:1/v1',
      'file:///etc/passwd',
      /^line 3: platforms\.0\.base_url/,
    ],
    ['a platform twice', '"name": "b"', '"name": "a"', /^line 4: .*appears twice/],
    [
      'no offers',
      /"offers": \[[^\]]*\]/.exec(GOOD)?.[0] ?? '',
      '"offers": []',
      /^line 11: models\.0\.offers/,
    ],
    ['half a file', GOOD.slice(GOOD.indexOf('"offers"')), '', /^line 11: /],
  ])('%s', (_, good, bad, message) => {
    expect(GOOD).toContain(good)
    expect(() => parseCatalogue(GOOD.replace(good, () => bad))).toThrow(message)
  })

  test('whatever the text, the refusal is a CatalogueError', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(() => parseCatalogue(text)).toThrow(CatalogueError)
      }),
    )
  })
})

/**
 * Keys with all characters that JSON escapes. None ends in a backslash: once V8 has seen such a key, `JSON.parse` of Node 24.21
 * mistakes one with a quotation mark in its place for it.
 */
const key = fc.stringMatching(/^[a-z"{}[\],:\\ ]{0,4}[a-z"{}[\],: ]$/)

test('the line of any value of any JSON is found', () => {
  const { json } = fc.letrec((tie) => ({
    leaf: fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
    json: fc.oneof({ maxDepth: 4 }, tie('leaf'), fc.array(tie('json')), fc.dictionary(key, tie('json'))),
  }))
  fc.assert(
    fc.property(fc.array(json, { minLength: 1 }), key, (before, name) => {
      const text = JSON.stringify({ before, [name]: { mark: ['MARK'] } }, null, 1)
      const line = text.split('\n').findIndex((row) => row.trim() === '"MARK"') + 1
      fc.pre(!JSON.stringify(before).includes('MARK') && name !== 'before')
      expect(findLine(text, [name, 'mark', 0])).toBe(line)
    }),
  )
})

test('a value of any JSON is set, and an item added, however it is written', () => {
  const object = fc.dictionary(key, fc.jsonValue(), { minKeys: 1 })
  fc.assert(
    fc.property(
      object,
      fc.array(fc.jsonValue(), { minLength: 1 }),
      fc.jsonValue(),
      fc.nat(2),
      (before, list, value, indent) => {
        const file = { list, before }
        const text = JSON.stringify(file, null, indent)
        const [first = ''] = Object.keys(before)
        const changed = JSON.parse(setValue(text, ['before', first], value)) as unknown
        expect(changed).toEqual(JSON.parse(JSON.stringify({ list, before: { ...before, [first]: value } })))
        const added = setValue(text, ['before', 'new one'], value, first)
        const result = JSON.parse(added) as { before: object }
        expect(result.before).toEqual(JSON.parse(JSON.stringify({ ...before, 'new one': value })))
        expect(JSON.parse(insertItem(text, ['list'], list.length, value))).toEqual(
          JSON.parse(JSON.stringify({ list: [...list, value], before })),
        )
      },
    ),
  )
})

test('config/models.schema.json says what the code says', () => {
  const committed: unknown = JSON.parse(readFileSync('config/models.schema.json', 'utf8'))
  expect(committed, 'run: node src/server/llm/catalogue/write-schema.ts').toEqual(
    JSON.parse(buildCatalogueJsonSchema()),
  )
})
