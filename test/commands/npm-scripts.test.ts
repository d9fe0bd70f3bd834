import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'

const DATA = join(process.env.TEST_FOLDER ?? tmpdir(), 'bench-data')
const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<string, string> }

/** The smallest work of each command that ends by itself. */
const SMALLEST: Record<string, string[]> = {
  admin: ['models', 'list'],
  'bench:agents': ['2', '1'],
  'bench:clients': ['none'],
  'bench:compare': ['1', '1'],
  'bench:gateway': '--only S1 --through gateway --calls 8 --warm_up 8 --at_once 2 --rounds 1'.split(' '),
  'bench:retrieval': ['vectors', '6', DATA],
  'bench:translate': ['text', '50', '1'],
  build: ['--help'],
  'db:generate': ['--help'],
  format: ['--check', 'scripts/run.ts'],
}
/** `npm start`, `npm run dev` and a pruned install have tests of their own; `npm test` runs this file, and all of `check`. */
const STARTED_ELSEWHERE = ['start', 'dev', 'test', 'check']

/** Articles as XQuAD has them, with a question each. */
beforeAll(async () => {
  const articles = Array.from({ length: 6 }, (_, nth) => ({
    title: `Lake ${nth}`,
    paragraphs: [
      {
        context: `The lake number ${nth} is ${nth + 2} metres deep, as its keepers have written down.`,
        qas: [{ question: `How deep is lake number ${nth}?`, answers: [{ text: `${nth + 2} metres` }] }],
      },
    ],
  }))
  await mkdir(join(DATA, 'xquad'), { recursive: true })
  for (const language of ['zh', 'en'])
    await writeFile(join(DATA, 'xquad', `xquad.${language}.json`), JSON.stringify({ data: articles }))
})

test('every command of the project prepares what it needs', () => {
  expect(Object.keys(scripts).toSorted()).toEqual([...Object.keys(SMALLEST), ...STARTED_ELSEWHERE].toSorted())
  for (const command of Object.values(scripts))
    expect(command).toMatch(/^node scripts\/bootstrap\.mjs (start|dev|test) && /)
})

test.each(Object.entries(SMALLEST))('npm run %s', { timeout: 300_000 }, async (name, args) => {
  const child = spawn('npm', ['run', '--silent', name, '--', ...args], {
    env: { ...process.env, XQUAD_DIR: join(DATA, 'xquad'), DATA_DIR: join(DATA, name.replace(':', '-')) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  expect([code, output + errors]).toEqual([0, expect.anything()])
  // The command leaves no process behind: its group is empty.
  expect(() => process.kill(-child.pid!, 0)).toThrow('ESRCH')
})
