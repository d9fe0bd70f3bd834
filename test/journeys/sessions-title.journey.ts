import { test } from 'vitest'
import { chatText } from '#web/text/chat.ts'
import { answered, ask, expect } from './chat-screen.ts'
import { setStage } from './stage.ts'

const stage = setStage({ TITLE_MODEL: 'flat' })

test('after its first answer a conversation gets a short title, in every tab', async () => {
  const page = await stage.visit('/chat', { client: await stage.world.user() })
  const other = await page.context().newPage()
  await other.goto(page.url())
  stage.world.upstream.script('scripted', { text: '从山里来。' })
  stage.world.upstream.script('flat', { text: '活水之源', delay_ms: 300 }, { text: '不该有的标题' })
  await ask(page, '请问渠里的活水到底是从哪里来的')
  await answered(page, '从山里来。')
  for (const tab of [page, other]) {
    await expect(tab.getByRole('navigation', { name: chatText.sessions }).getByRole('link')).toHaveText([
      '活水之源',
    ])
  }
  await ask(page, '再问一句')
  await answered(page, '从山里来。')
  await page.reload()
  await expect(page.getByRole('navigation', { name: chatText.sessions }).getByRole('link')).toHaveText([
    '活水之源',
  ])
})
