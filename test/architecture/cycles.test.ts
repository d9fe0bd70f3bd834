import { expect, test } from 'vitest'
import { noCycles, noFolderCycles } from './cycles.ts'
import { parseModule, type Rule } from './module.ts'

/** Returns a rule's messages on made-up files: path → text. */
const applyRule = (rule: Rule, files: Record<string, string>): string[] =>
  rule(Object.entries(files).map(([path, text]) => parseModule({ path, text })))

test('noCycles names the whole circle, through types too, once', () => {
  const circle = {
    'src/web/a.ts': `import './b.ts'`,
    'src/web/b.ts': `import type { C } from './c.ts'`,
    'src/web/c.ts': `export * from './a.ts'; import './d.ts'`,
    'src/web/d.ts': '',
  }
  expect(applyRule(noCycles, circle)).toEqual([
    expect.stringContaining('src/web/a.ts → src/web/b.ts → src/web/c.ts → src/web/a.ts'),
  ])
  expect(applyRule(noCycles, { ...circle, 'src/web/c.ts': `import './d.ts'` })).toEqual([])
})

test('noFolderCycles names the folders and one import each, where no file is in a circle', () => {
  const circle = {
    'src/web/a/x.ts': `import '../b/x.ts'`,
    'src/web/a/y.ts': '',
    'src/web/b/x.ts': `import type { C } from '#web/c/x.ts'`,
    'src/web/c/x.ts': `void import('../a/y.ts')`,
  }
  expect(applyRule(noCycles, circle)).toEqual([])
  const [message, ...others] = applyRule(noFolderCycles, circle)
  expect(others).toEqual([])
  expect(message).toContain('a → b → c → a')
  expect(message).toContain('src/web/c/x.ts → src/web/a/y.ts')
  expect(applyRule(noFolderCycles, { ...circle, 'src/web/c/x.ts': '' })).toEqual([])
})

test('noFolderCycles notices a circle of rooms whose features make none', () => {
  const files = {
    'src/server/accounts/keys/x.ts': `import '#server/files/files.ts'`,
    'src/server/accounts/users/users.ts': '',
    'src/server/files/files.ts': `import '#server/accounts/users/users.ts'`,
  }
  expect(applyRule(noFolderCycles, files)).toEqual([expect.stringContaining('accounts → files → accounts')])
})
