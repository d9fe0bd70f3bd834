import { describe, expect, test } from 'vitest'
import { noCycles } from './cycles.ts'
import { deadPaths } from './docs.ts'
import { noAny, smallFiles, tellingNames } from './files.ts'
import { floors, sqlInStores } from './floors.ts'
import { parseModule, type Rule } from './module.ts'
import { sides } from './sides.ts'
import { noZodInWeb, thinPages, webLayers } from './web.ts'

/** What a rule says of made-up files: path → text. */
const judge = (rule: Rule, files: Record<string, string>): string[] =>
  rule(Object.entries(files).map(([path, text]) => parseModule({ path, text })))

type Case = [path: string, text: string]

function proves(rule: Rule, { bad, good }: { bad: Case[]; good: Case[] }): void {
  test.each(bad)('refuses %s: %s', (path, text) => {
    expect(judge(rule, { [path]: text })).toEqual([expect.stringContaining(path)])
  })
  test.each(good)('allows %s: %s', (path, text) => {
    expect(judge(rule, { [path]: text })).toEqual([])
  })
}

describe('sides', () =>
  proves(sides, {
    bad: [
      ['src/contract/chat.ts', `import { Hono } from 'hono'`],
      ['src/contract/chat.ts', `import type { Run } from '#server/runs/run.ts'`],
      ['src/web/chat/x.ts', `import { ask } from '../../server/chat/chat.ts'`],
      ['src/web/chat/x.ts', `const chat = await import('#server/chat/chat.ts')`],
      ['src/server/chat/chat.ts', `export * from '#web/chat/x.ts'`],
      ['src/server/chat/chat.ts', `type T = import('#web/chat/x.ts').T`],
      ['src/server/chat/chat.ts', `import { world } from '#test/world.ts'`],
    ],
    good: [
      ['src/contract/chat.ts', `import { z } from 'zod'; import './page.ts'`],
      ['src/web/chat/x.ts', `import type { Chat } from '#contract/chat.ts'; import 'react'`],
      ['src/server/chat/chat.ts', `const text = "import x from '#web/chat/x.ts'"`],
    ],
  }))

describe('floors', () =>
  proves(floors, {
    bad: [
      ['src/server/core/http.ts', `import { ledger } from '../ledger/ledger.ts'`],
      ['src/server/ledger/hold.ts', `import type { ChatRequest } from '../llm/chat.ts'`],
      ['src/server/llm/route.ts', `import { price } from '../ledger/prices.ts'`],
      ['src/server/runs/runs.ts', `import { chat } from '../chat/chat.ts'`],
      ['src/server/chat/chat.ts', `import { find } from '../users/store.ts'`],
      ['src/server/chat/store.ts', `import { users } from '../users/tables.ts'`],
      ['src/server/chat/chat.ts', `import { gateway } from '../gateway/gateway.ts'`],
      ['src/server/gateway/routes.ts', `import { find } from '../keys/store.ts'`],
      ['src/server/chat/routes.ts', `import { app } from '../app.ts'`],
      ['src/server/app.ts', `import { main } from './main.ts'`],
    ],
    good: [
      ['src/server/chat/chat.ts', `import { user } from '../users/users.ts'; import '../runs/log.ts'`],
      ['src/server/gateway/gateway.ts', `import { key } from '../keys/keys.ts'`],
      ['src/server/chat/tables.ts', `import { users } from '../users/tables.ts'`],
      ['src/server/app.ts', `import { routes } from './chat/routes.ts'`],
      ['src/server/main.ts', `import { app } from './app.ts'`],
    ],
  }))

describe('sqlInStores', () =>
  proves(sqlInStores, {
    bad: [
      ['src/server/chat/chat.ts', `import { sql } from 'drizzle-orm'`],
      ['src/server/chat/routes.ts', `import { pgTable } from 'drizzle-orm/pg-core'`],
    ],
    good: [
      ['src/server/chat/store.ts', `import { sql } from 'drizzle-orm'`],
      ['src/server/chat/tables.ts', `import { pgTable } from 'drizzle-orm/pg-core'`],
      ['src/server/ledger/hold.ts', `import { sql } from 'drizzle-orm'`],
    ],
  }))

describe('webLayers', () =>
  proves(webLayers, {
    bad: [
      ['src/web/ui/button.tsx', `import { Composer } from '../chat/composer.tsx'`],
      ['src/web/chat/x.tsx', `import Chat from '../pages/Chat.tsx'`],
    ],
    good: [
      ['src/web/ui/button.tsx', `import { uiText } from '../text/ui.ts'`],
      ['src/web/main.tsx', `import Chat from './pages/Chat.tsx'`],
      ['src/web/pages/Chat.tsx', `import { Composer } from '../chat/composer.tsx'`],
    ],
  }))

describe('files', () => {
  const lines = (count: number): string => '//\n'.repeat(count)
  proves(thinPages, {
    bad: [['src/web/pages/Chat.tsx', lines(121)]],
    good: [['src/web/pages/Chat.tsx', lines(120)]],
  })
  proves(noAny, {
    bad: [
      ['src/web/x.ts', 'let a: any'],
      ['src/web/x.ts', 'const a = [] as Array<any>'],
    ],
    good: [['src/web/x.ts', `const any = 'as any' // : any`]],
  })
  proves(tellingNames, {
    bad: [
      ['src/web/utils/date.ts', ''],
      ['src/server/core/helpers.ts', ''],
      ['src/web/chat/index.ts', ''],
      ['src/server/runs/RunManager.ts', ''],
    ],
    good: [['src/server/runs/indexed.ts', '']],
  })
  test('refuses one file over 400 lines, and more than 5 % over 250', () => {
    const small = Object.fromEntries(Array.from({ length: 19 }, (_, n) => [`src/web/${n}.ts`, '']))
    expect(judge(smallFiles, { ...small, 'src/web/long.ts': lines(250) })).toEqual([])
    expect(judge(smallFiles, { ...small, 'src/web/long.ts': lines(400) })).toEqual([])
    expect(judge(smallFiles, { ...small, 'src/web/long.ts': lines(401) })).toEqual([
      expect.stringContaining('401 lines'),
    ])
    const two = { 'src/web/long.ts': lines(251), 'src/web/longer.ts': lines(260) }
    expect(judge(smallFiles, { ...small, ...two })).toEqual([expect.stringContaining('longer.ts (260)')])
  })
})

describe('noZodInWeb', () => {
  const contract = {
    'src/contract/chat.ts': `import { z } from 'zod'; import './limits.ts'`,
    'src/contract/limits.ts': 'export const MAX = 1',
    'src/contract/page.ts': `import { chat } from './chat.ts'`,
  }
  const judgeWeb = (text: string) => judge(noZodInWeb, { ...contract, 'src/web/x.ts': text })

  test('refuses a value that drags zod in, by any way', () => {
    const way = 'src/web/x.ts → src/contract/page.ts → src/contract/chat.ts → zod'
    expect(judgeWeb(`import { page } from '#contract/page.ts'`)).toEqual([expect.stringContaining(way)])
    expect(judgeWeb(`import { type Page } from '#contract/page.ts'`)).toHaveLength(1)
    expect(judgeWeb(`void import('#contract/chat.ts')`)).toHaveLength(1)
    expect(judgeWeb(`import { z } from 'zod'`)).toHaveLength(1)
  })

  test('allows types, and constants of files without zod', () => {
    expect(judgeWeb(`import type { Page } from '#contract/page.ts'`)).toEqual([])
    expect(judgeWeb(`import { MAX } from '#contract/limits.ts'`)).toEqual([])
  })
})

test('noCycles names the whole circle, through types too, once', () => {
  const circle = {
    'src/web/a.ts': `import './b.ts'`,
    'src/web/b.ts': `import type { C } from './c.ts'`,
    'src/web/c.ts': `export * from './a.ts'; import './d.ts'`,
    'src/web/d.ts': '',
  }
  expect(judge(noCycles, circle)).toEqual([
    expect.stringContaining('src/web/a.ts → src/web/b.ts → src/web/c.ts → src/web/a.ts'),
  ])
  expect(judge(noCycles, { ...circle, 'src/web/c.ts': `import './d.ts'` })).toEqual([])
})

test('deadPaths notices a path that is gone, and leaves commands and patterns alone', () => {
  const text = 'See `src/web/gone.ts`, `docs/here.md`, `src/web/<feature>`, `npm test`, `a/b`.'
  expect(deadPaths([{ path: 'README.md', text }], (path) => path === 'docs/here.md')).toEqual([
    expect.stringContaining('`src/web/gone.ts`'),
  ])
})
