import { test } from 'vitest'
import { historyText } from '#web/text/history/history.ts'
import { expectAnswer, ask, expect } from '../screen/chat-screen.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

const world = useBrowserWorld({ TITLE_MODEL: 'flat' })

test('after its first answer a conversation gets a short title, in every tab', async () => {
  const page = await world.visit('/chat', { client: await world.user() })
  const other = await page.context().newPage()
  await other.goto(page.url())
  world.upstream.script('scripted', { text: '从山里来。' })
  world.upstream.script('flat', { text: '活水之源', delay_ms: 300 }, { text: '不该有的标题' })
  await ask(page, '请问渠里的活水到底是从哪里来的')
  await expectAnswer(page, '从山里来。')
  for (const tab of [page, other]) {
    await expect(tab.getByRole('navigation', { name: historyText.sessions }).getByRole('link')).toHaveText([
      '活水之源',
    ])
  }
  await ask(page, '再问一句')
  await expectAnswer(page, '从山里来。')
  await page.reload()
  await expect(page.getByRole('navigation', { name: historyText.sessions }).getByRole('link')).toHaveText([
    '活水之源',
  ])
})
