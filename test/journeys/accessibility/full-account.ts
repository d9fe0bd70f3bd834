import { readOutbox } from '#server/core/mail.ts'
import { notify } from '#server/notifications/notifications.ts'
import { createAgent } from '../../agents/agent.ts'
import { askAll, createComparison } from '../../compare/comparison.ts'
import { upload, waitUntilRead } from '../../files/upload.ts'
import { grant, join } from '../../organizations/organization.ts'
import { latin, makePdf } from '../../formats/make-pdf.ts'
import { makeDocx, replyWith, startTranslation, waitForTranslation } from '../../translate/document.ts'
import type { Client } from '../../world/client.ts'
import { realNames } from '../../world/real-names.ts'
import type { World } from '../../world/world.ts'

const ANSWER = `${'华东大区三季度共盘点经销商 126 家，账实差异合计 1,284,567.80 元。'.repeat(4)}

| 城市 | 经销商 | 账面库存（元） | 实盘库存（元） | 逾期回款（元） |
| --- | --- | ---: | ---: | ---: |
| 上海 | 上海浦东新区永嘉食品贸易有限公司 | 12,845,678.90 | 12,612,004.15 | 1,284,567.80 |

\`\`\`ts
const differences = dealers.filter(({ book, counted }) => Math.abs(book - counted) > 10_000).toSorted(byAmount).slice(0, 10)
\`\`\`

$$\\Delta = \\sum_{i=1}^{126} \\left| b_i - c_i \\right| \\cdot \\frac{1 + r_i}{1 - d_i} + \\prod_{j=1}^{10} \\left( 1 + \\frac{x_j}{y_j} \\right)$$

详见[盘点口径说明](https://example.com/a/very/long/path/of/the/reconciliation/report?year=2026&quarter=3)。`

/** Creates an account that has one of everything, with long names, and the ids for the addresses of its pages. */
export async function createFullAccount(
  world: World,
): Promise<{ client: Client; ids: Record<string, string> }> {
  const client = await world.user()
  const { uuid } = await client.call('PUT /api/user/info', { body: { name: realNames.nickname } })
  await grant(world, client, realNames.coins)
  const pdf = makePdf([{ content: latin(72, 700, 'A distributor holds 30 days of stock.') }])
  const file = { name: realNames.englishFile, type: 'application/pdf', content: pdf, channel: 'block' }
  const { id: block } = await upload(world, client, file)
  await waitUntilRead(client, block)
  const chat = {
    system_prompt: '',
    welcome_prompt: `你好，我是${realNames.agent}。`,
    suggest_prompts: [realNames.question, '逾期回款怎样计算？', 'How is overdue payment reconciled?'],
  }
  const texts = { [realNames.chineseFile]: makeDocx(['经销商应保留三十天的库存。']) }
  const form = {
    name: realNames.agent,
    desc: `${realNames.question}。`.repeat(3),
    settings: { chat },
    refer_source: true,
  }
  const agent = await createAgent(world, client, texts, { ...form, visible: 2 })

  world.upstream.script('scripted', ...Array.from({ length: 8 }, () => ({ text: ANSWER })))
  world.upstream.script('scripted-paid', { text: ANSWER })
  world.upstream.script('flat', { text: ANSWER }, { reply: replyWith() })
  const { sess_id } = await client.ask(realNames.question, { model: 'scripted-paid', block })
  const { folder } = await client.call('POST /api/chat/folders', { body: { name: realNames.folder } })
  const { session: spare } = await client.call('POST /api/chat/session/new', { body: {} })
  await client.ask(realNames.question, { sess_id: spare.id })
  await client.call('POST /api/chat/sessions/move', { body: { sess_ids: [spare.id], folder_id: folder.id } })
  const answered = await client.ask(realNames.question, { chatbot: agent.chatbot })
  await client.ask(realNames.question, { chatbot: `block-${block}` })
  const comparison = await createComparison(client, ['scripted', 'flat', 'tiered', 'twofold'])
  await askAll(client, { prompt: realNames.question, ...comparison })
  const { share } = await client.call('GET /api/chat/session/link', { query: { chatbot: 'dati', sess_id } })
  const { task } = await startTranslation(world, client, {
    name: realNames.chineseFile,
    content: makeDocx(['A distributor keeps stock for thirty days.', 'Overdue payment is reported monthly.']),
  })
  await waitForTranslation(client, task)
  await client.call('POST /api/chat/prompts', {
    body: { title: realNames.folder, desc: realNames.question, text: realNames.question },
  })
  await client.call('POST /api/api_keys', { body: { name: realNames.key, credit_limit: realNames.coins } })
  await client.call('POST /api/provision_keys', { body: { name: realNames.key, max_days: 365 } })
  await notify(world.db(), uuid, {
    channel: 'credit',
    title: '余额不足',
    text: `余额已低于 ${realNames.coins} 金币。`,
  })

  const { uuid: organization } = await client.call('POST /api/organization', {
    body: { name: realNames.organization },
  })
  const deposit = { params: { id: organization }, body: { coins: 50_000 } }
  await client.call('POST /api/organization/{id}/deposit', deposit)
  const member = await world.user()
  await member.call('PUT /api/user/info', { body: { name: realNames.member } })
  await join(world, client, organization, member)
  const emails = [`${uuid}.of-the-east-china-distribution-centre@refusal.example`]
  await client.call('POST /api/organization/{id}/members/invite', {
    params: { id: organization },
    body: { emails },
  })
  const mail = (await readOutbox(world.data_dir, 500)).find(({ to }) => to === emails[0])
  const token = new URL(mail!.unsubscribe_url!).pathname.split('/').at(-1)!
  const ids = { block, agent: agent.uuid, share: share.id, token, task, sess_id }
  return { client, ids: { ...ids, asked: answered.sess_id, compared: comparison.sess_id } }
}
