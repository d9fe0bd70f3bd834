import { test } from 'vitest'
import { chatText } from '#web/text/chat.ts'
import { expectAnswer, ask, expect } from '../screen/chat-screen.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

const stage = useBrowserWorld({ TITLE_MODEL: 'flat' })

test('after its first answer a conversation gets a short title, in every tab', async () => {
  const page = await stage.visit('/chat', { client: await stage.world.user() })
  const other = await page.context().newPage()
  await other.goto(page.url())
  stage.world.upstream.script('scripted', { text: '从山里来。' })
  stage.world.upstream.script('flat', { text: '活水之源', delay_ms: 300 }, { text: '不该有的标题' })
  await ask(page, '请问渠里的活水到底是从哪里来的')
  await expectAnswer(page, '从山里来。')
  for (const tab of [page, other]) {
    await expect(tab.getByRole('navigation', { name: chatText.sessions }).getByRole('link')).toHaveText([
      '活水之源',
    ])
  }
  await ask(page, '再问一句')
  await expectAnswer(page, '从山里来。')
  await page.reload()
  await expect(page.getByRole('navigation', { name: chatText.sessions }).getByRole('link')).toHaveText([
    '活水之源',
  ])
})
