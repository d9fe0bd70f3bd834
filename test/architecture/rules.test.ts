import { describe, expect, test } from 'vitest'
import { plainComments } from './comments.ts'
import { findDeadPaths } from './docs.ts'
import { noAny, smallFiles, smallFolders, descriptiveNames } from './files.ts'
import { floors, sqlInStores } from './floors.ts'
import { parseModule, type Rule } from './module.ts'
import { boundQueries, linksToPages, pagesOfContract } from './pages.ts'
import { namedFeatures, sides } from './sides.ts'
import { typeScale } from './styles.ts'
import { fullWidthPunctuation, noZodInWeb, thinPages, webEntryPoints, webLayers, wordsInText } from './web.ts'

/** Returns a rule's messages on made-up files: path → text. */
const applyRule = (rule: Rule, files: Record<string, string>): string[] =>
  rule(Object.entries(files).map(([path, text]) => parseModule({ path, text })))

type Case = [path: string, text: string]

function testRule(rule: Rule, { bad, good }: { bad: Case[]; good: Case[] }): void {
  test.each(bad)('refuses %s: %s', (path, text) => {
    expect(applyRule(rule, { [path]: text })).toEqual([expect.stringContaining(path)])
  })
  test.each(good)('allows %s: %s', (path, text) => {
    expect(applyRule(rule, { [path]: text })).toEqual([])
  })
}

describe('sides', () =>
  testRule(sides, {
    bad: [
      ['src/contract/chat.ts', `import { Hono } from 'hono'`],
      ['src/contract/chat.ts', `import type { Run } from '#server/runs/run.ts'`],
      ['src/web/conversations/chat/x.ts', `import { ask } from '../../../server/runs/runs.ts'`],
      [
        'src/web/conversations/chat/x.ts',
        `const chat = await import('#server/assistants/general/general.ts')`,
      ],
      ['src/server/assistants/general/general.ts', `export * from '#web/chat/x.ts'`],
      ['src/server/assistants/general/general.ts', `type T = import('#web/chat/x.ts').T`],
      ['src/server/assistants/general/general.ts', `import { world } from '#test/world/world.ts'`],
    ],
    good: [
      ['src/contract/chat.ts', `import { z } from 'zod'; import './page.ts'`],
      ['src/web/conversations/chat/x.ts', `import type { Chat } from '#contract/chat.ts'; import 'react'`],
      ['src/server/assistants/general/general.ts', `const text = "import x from '#web/chat/x.ts'"`],
    ],
  }))

describe('named features', () =>
  testRule(namedFeatures, {
    bad: [
      ['src/server/assistants/general/general.ts', `import { log } from '../../core/log.ts'`],
      ['src/server/app.ts', `import { log } from './core/log.ts'`],
      ['src/web/conversations/chat/a/x.tsx', `import { Button } from '../../../ui/Button.tsx'`],
      ['src/web/conversations/chat/x.ts', `import type { Chat } from '../../contract/chat.ts'`],
    ],
    good: [
      [
        'src/server/assistants/general/general.ts',
        `import { log } from '#server/core/log.ts'; import './store.ts'`,
      ],
      ['src/server/app.ts', `import { start } from './start.ts'`],
      ['src/contract/gateway/calls.ts', `import type { Errors } from '../errors.ts'`],
    ],
  }))

describe('floors', () =>
  testRule(floors, {
    bad: [
      ['src/server/core/http.ts', `import { ledger } from '../ledger/ledger.ts'`],
      ['src/server/ledger/hold.ts', `import type { ChatRequest } from '../llm/chat.ts'`],
      ['src/server/llm/route.ts', `import { price } from '../ledger/prices.ts'`],
      ['src/server/runs/runs.ts', `import { chat } from '../assistants/general/general.ts'`],
      ['src/server/assistants/general/general.ts', `import { find } from '../../accounts/users/store.ts'`],
      ['src/server/conversations/store.ts', `import { users } from '../accounts/users/tables.ts'`],
      ['src/server/conversations/shares/shares.ts', `import { find } from '../sessions/store.ts'`],
      ['src/server/app.ts', `import { present } from './runs/presentation.ts'`],
      ['src/server/assistants/general/general.ts', `import { gateway } from '../../gateway/gateway.ts'`],
      ['src/server/gateway/routes.ts', `import { find } from '../accounts/keys/store.ts'`],
      ['src/server/gateway/gateway.ts', `import type { Agents } from '#server/assistants/agents/agents.ts'`],
      ['src/server/conversations/routes.ts', `import { app } from '../app.ts'`],
      ['src/server/app.ts', `import { main } from './main.ts'`],
      ['src/server/runs/runs.ts', `import type { Offer } from '../llm/catalogue/offers.ts'`],
      ['src/server/runs/create-run.ts', `import { toHoldRequestRow } from '../ledger/holds.ts'`],
      ['src/server/gateway/pipeline.ts', `import type { SettledRun } from '../runs/result.ts'`],
      ['src/server/start.ts', `import { loadCatalogue } from './llm/catalogue/catalogue.ts'`],
    ],
    good: [
      [
        'src/server/assistants/general/general.ts',
        `import { user } from '#server/accounts/users/users.ts'; import '#server/runs/runs.ts'`,
      ],
      ['src/server/gateway/gateway.ts', `import { key } from '../accounts/keys/keys.ts'`],
      ['src/server/conversations/tables.ts', `import { users } from '../users/tables.ts'`],
      [
        'src/server/conversations/shares/tables.ts',
        `import { chatSessions } from '../conversations/tables.ts'`,
      ],
      [
        'src/server/conversations/shares/shares.ts',
        `import { copy } from '#server/conversations/conversations.ts'`,
      ],
      ['src/server/app.ts', `import { routes } from './accounts/keys/routes.ts'`],
      ['src/server/runs/runs.ts', `import type { Offer } from '../llm/llm.ts'`],
      ['src/server/llm/llm.ts', `import type { Offer } from './catalogue/offers.ts'`],
      ['src/server/runs/create-run.ts', `import { toHoldRequestRow } from '../ledger/ledger.ts'`],
      ['src/server/gateway/tables.ts', `import { runs } from '../runs/tables.ts'`],
      ['src/server/main.ts', `import { app } from './app.ts'`],
    ],
  }))

describe('sqlInStores', () =>
  testRule(sqlInStores, {
    bad: [
      ['src/server/assistants/general/general.ts', `import { sql } from 'drizzle-orm'`],
      ['src/server/conversations/routes.ts', `import { pgTable } from 'drizzle-orm/pg-core'`],
    ],
    good: [
      ['src/server/conversations/store.ts', `import { sql } from 'drizzle-orm'`],
      ['src/server/conversations/tables.ts', `import { pgTable } from 'drizzle-orm/pg-core'`],
      ['src/server/ledger/hold.ts', `import { sql } from 'drizzle-orm'`],
    ],
  }))

describe('wordsInText', () =>
  testRule(wordsInText, {
    bad: [
      ['src/web/conversations/chat/X.tsx', `export const X = () => <p>你好</p>`],
      ['src/web/conversations/chat/X.tsx', `export const X = () => <p title="你好" />`],
    ],
    good: [
      [
        'src/web/conversations/chat/X.tsx',
        `export const X = () => <p title={chatText.hello}>{chatText.hello} · </p>`,
      ],
      ['src/web/conversations/chat/X.tsx', `/** 你好 */ export const X = () => <p>{1}</p>`],
    ],
  }))

describe('fullWidthPunctuation', () =>
  testRule(fullWidthPunctuation, {
    bad: [['src/web/text/chat.ts', `export const chatText = { hello: '你好,世界' }`]],
    good: [
      [
        'src/web/text/chat.ts',
        `export const chatText = { hello: '你好，世界', done: '复制成功,快去分享给好友吧!' }`,
      ],
    ],
  }))

describe('webLayers', () =>
  testRule(webLayers, {
    bad: [
      ['src/web/ui/button.tsx', `import { Composer } from '../chat/composer.tsx'`],
      ['src/web/core/user.ts', `import type { Composer } from '../composer/composer.tsx'`],
      ['src/web/text/chat.ts', `import Chat from '../pages/Chat.tsx'`],
      ['src/web/conversations/chat/x.tsx', `import Chat from '../../pages/Chat.tsx'`],
    ],
    good: [
      ['src/web/ui/button.tsx', `import { uiText } from '../text/ui.ts'`],
      ['src/web/main.tsx', `import Chat from './pages/Chat.tsx'`],
      ['src/web/pages/Chat.tsx', `import { Composer } from '../chat/composer.tsx'`],
    ],
  }))

describe('pagesOfContract', () =>
  testRule(pagesOfContract, {
    bad: [
      ['src/web/pages/Unknown.tsx', 'export default function Unknown() {\n}'],
      ['src/web/pages/Share.tsx', 'export default function Share({ id }: { id: string }) {\n}'],
      ['src/web/pages/Share.tsx', `export default function Share({ id }: PageProps<'Model'>) {\n}`],
      ['src/web/pages/Share.tsx', 'export default function Other() {\n}'],
    ],
    good: [
      ['src/web/pages/Home.tsx', 'export default function Home() {\n}'],
      ['src/web/pages/Share.tsx', `export default function Share({ id }: PageProps<'Share'>) {\n}`],
    ],
  }))

describe('linksToPages', () =>
  testRule(linksToPages, {
    bad: [
      ['src/web/conversations/chat/x.tsx', '<Link href="/chats" />'],
      ['src/web/conversations/chat/x.tsx', "router.visit('/profile/key')"],
      ['src/web/conversations/chat/x.tsx', 'const href = `/model/${id}`'],
      ['src/web/conversations/chat/x.tsx', '{ url: `/chats?sess_id=${id}` }'],
    ],
    good: [
      ['src/web/conversations/chat/x.tsx', '<Link href="/chat" />'],
      ['src/web/conversations/chat/x.tsx', "router.visit('/', { replace: true })"],
      ['src/web/conversations/chat/x.tsx', 'const href = `/models/${id}`'],
      [
        'src/web/conversations/chat/x.tsx',
        '[<a href={`/chat?sess_id=${id}`} />, <a href="/api/openapi.json" />, <a href="#content" />]',
      ],
    ],
  }))

describe('boundQueries', () =>
  testRule(boundQueries, {
    bad: [['src/web/accounts/keys/x.ts', `import { useQuery } from '@tanstack/react-query'`]],
    good: [
      ['src/web/accounts/keys/x.ts', `import { useQuery } from '#web/core/queryClient.ts'`],
      ['src/web/accounts/keys/x.ts', `import type { InfiniteData } from '@tanstack/react-query'`],
      ['src/web/core/queryClient.ts', `import { QueryClient } from '@tanstack/react-query'`],
    ],
  }))

describe('typeScale', () =>
  testRule(typeScale, {
    bad: [
      ['src/web/conversations/chat/x.tsx', `<p className="text-[13px]" />`],
      ['src/web/conversations/chat/x.tsx', `<p className="max-md:text-[1.2rem]!" />`],
    ],
    good: [
      ['src/web/conversations/chat/x.tsx', `<p className="text-note! text-[color:red] max-w-[13px]" />`],
    ],
  }))

describe('webEntryPoints', () => {
  const rooms = {
    'src/web/conversations/thread/thread.tsx': '',
    'src/web/conversations/thread/Answer.tsx': '',
    'src/web/docs/Field.tsx': '',
  }
  const judge = (path: string, text: string) => applyRule(webEntryPoints, { ...rooms, [path]: text })

  test.each([
    [
      'src/web/conversations/chat/x.ts',
      `import { Answer } from '#web/conversations/thread/Answer.tsx'`,
      'src/web/conversations/thread/thread.tsx',
    ],
    [
      'src/web/conversations/chat/x.ts',
      `import type { A } from '#web/conversations/thread/Answer.tsx'`,
      'src/web/conversations/thread/thread.tsx',
    ],
    [
      'src/web/conversations/chat/x.ts',
      `void import('#web/conversations/thread/Answer.tsx')`,
      'lazyComponent()',
    ],
    [
      'src/web/conversations/chat/x.ts',
      `import { Field } from '#web/docs/Field.tsx'`,
      'Create src/web/docs/docs.ts',
    ],
    [
      'src/web/pages/Chat.tsx',
      `import { Answer } from '#web/conversations/thread/Answer.tsx'`,
      'src/web/conversations/thread/thread.tsx',
    ],
  ])('refuses %s: %s', (path, text, advice) => {
    expect(judge(path, text)).toEqual([expect.stringMatching(`${path} imports .*`)])
    expect(judge(path, text)[0]).toContain(advice)
  })
  test.each([
    [
      'src/web/conversations/chat/x.ts',
      `import { Thread } from '#web/conversations/thread/thread.tsx'; import '#web/ui/Button.tsx'`,
    ],
    ['src/web/conversations/thread/x.ts', `import { Answer } from './Answer.tsx'`],
    ['src/web/pages/Docs.tsx', `import { Field } from '#web/docs/Field.tsx'`],
    ['src/web/conversations/chat/x.test.ts', `import { Answer } from '#web/conversations/thread/Answer.tsx'`],
  ])('allows %s: %s', (path, text) => {
    expect(judge(path, text)).toEqual([])
  })
})

describe('files', () => {
  const lines = (count: number): string => '//\n'.repeat(count)
  testRule(thinPages, {
    bad: [['src/web/pages/Chat.tsx', lines(121)]],
    good: [['src/web/pages/Chat.tsx', lines(120)]],
  })
  testRule(noAny, {
    bad: [
      ['src/web/x.ts', 'let a: any'],
      ['src/web/x.ts', 'const a = [] as Array<any>'],
    ],
    good: [['src/web/x.ts', `const any = 'as any' // : any`]],
  })
  testRule(descriptiveNames, {
    bad: [
      ['src/web/utils/date.ts', ''],
      ['src/server/core/helpers.ts', ''],
      ['src/web/conversations/chat/index.ts', ''],
      ['src/server/runs/RunManager.ts', ''],
    ],
    good: [['src/server/runs/indexed.ts', '']],
  })
  test('refuses one file over 400 lines, and more than 5 % over 250', () => {
    const small = Object.fromEntries(Array.from({ length: 19 }, (_, n) => [`src/web/${n}.ts`, '']))
    expect(applyRule(smallFiles, { ...small, 'src/web/long.ts': lines(250) })).toEqual([])
    expect(applyRule(smallFiles, { ...small, 'src/web/long.ts': lines(400) })).toEqual([])
    expect(applyRule(smallFiles, { ...small, 'src/web/long.ts': lines(401) })).toEqual([
      expect.stringContaining('401 lines'),
    ])
    const two = { 'src/web/long.ts': lines(251), 'src/web/longer.ts': lines(260) }
    expect(applyRule(smallFiles, { ...small, ...two })).toEqual([expect.stringContaining('longer.ts (260)')])
  })
})

describe('smallFolders', () => {
  const folder = (path: string, count: number): Record<string, string> =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`${path}/${n}.ts`, '']))

  test('refuses a folder of more than 25 files, tests not counted', () => {
    const full = {
      ...folder('src/web/conversations/chat', 25),
      'src/web/conversations/chat/0.test.ts': '',
      'src/web/conversations/chat/below/1.ts': '',
    }
    expect(applyRule(smallFolders, full)).toEqual([])
    expect(applyRule(smallFolders, folder('src/web/conversations/chat', 26))).toEqual([
      expect.stringContaining('src/web/conversations/chat has 26 files'),
    ])
  })

  test('refuses what is deeper than four folders', () => {
    expect(applyRule(smallFolders, { 'src/web/a/b/c/x.ts': '' })).toEqual([])
    expect(applyRule(smallFolders, { 'src/web/a/b/c/d/x.ts': '' })).toEqual([
      expect.stringContaining('src/web/a/b/c/d'),
    ])
  })
})

describe('noZodInWeb', () => {
  const contract = {
    'src/contract/chat.ts': `import { z } from 'zod'; import './limits.ts'`,
    'src/contract/limits.ts': 'export const MAX = 1',
    'src/contract/paging.ts': `import { chat } from './chat.ts'`,
  }
  const judgeWeb = (text: string) => applyRule(noZodInWeb, { ...contract, 'src/web/x.ts': text })

  test('refuses a value that drags zod in, by any way', () => {
    const way = 'src/web/x.ts → src/contract/paging.ts → src/contract/chat.ts → zod'
    expect(judgeWeb(`import { page } from '#contract/paging.ts'`)).toEqual([expect.stringContaining(way)])
    expect(judgeWeb(`import { type Page } from '#contract/paging.ts'`)).toHaveLength(1)
    expect(judgeWeb(`void import('#contract/chat.ts')`)).toHaveLength(1)
    expect(judgeWeb(`import { z } from 'zod'`)).toHaveLength(1)
  })

  test('allows types, and constants of files without zod', () => {
    expect(judgeWeb(`import type { Page } from '#contract/paging.ts'`)).toEqual([])
    expect(judgeWeb(`import { MAX } from '#contract/limits.ts'`)).toEqual([])
  })
})

test('deadPaths notices a path that is gone, and leaves commands and patterns alone', () => {
  const text = 'See `src/web/gone.ts`, `docs/here.md`, `src/web/<feature>`, `npm test`, `a/b`.'
  expect(findDeadPaths([{ path: 'README.md', text }], (path) => path === 'docs/here.md')).toEqual([
    expect.stringContaining('`src/web/gone.ts`'),
  ])
})

test('plainComments notices a relative clause at the beginning of a comment, and nowhere else', () => {
  const judge = (text: string) => applyRule(plainComments, { 'src/server/a.ts': text })
  for (const text of [
    '/** Whether it is. */',
    '/*\n * Who asks.\n */',
    '  // What is left.',
    'x() // a\n\n// Of two.',
  ])
    expect(judge(text), text).toHaveLength(1)
  const plain = `/** Tells whether it is. What a day. */\n// One that\n// Of course goes on.\nconst a = '// Who'`
  expect(judge(plain)).toEqual([])
})
