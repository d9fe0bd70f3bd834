import { writeFile } from 'node:fs/promises'
import type { ChatStreamEvent } from '#contract/chat.ts'
import type { SearchSource } from '#contract/web-search.ts'
import { createAgent } from '#test/agents/agent.ts'
import { startWorld } from '#test/world/world.ts'

// Records the run that Home shows: the real app, an agent with two documents, a question, and every piece of the answer with its
// time as it came over HTTP. Retrieval, citations and streaming are the product's; the tests' double stands in for a platform and
// answers at a platform's pace. `node bench/home-run.ts` writes it anew.

const FILE = 'src/web/home/recordedRun.json'
const QUESTION = '押金在几个工作日内退还？'
const DOCUMENTS = {
  '租赁合同.md': `# 房屋租赁合同

## 第三条 租金与押金

租金每月 4,200 元，按季支付。押金为一个月租金，签约当日付清。

## 第六条 押金退还

租期届满且房屋交接完毕后，甲方应在 7 个工作日内退还押金，不计利息。

## 第八条 维修责任

房屋主体结构与固定设施的维修由甲方负责；因乙方使用不当造成的损坏，由乙方承担费用。
`,
  '补充协议.md': `# 补充协议

## 一、抵扣

押金退还之前，若有水电燃气欠费，甲方可先从押金中抵扣，并向乙方出示缴费凭证。

## 二、家具清点

空调两台、洗衣机一台，入住时与交接时各清点一次，双方签字确认。
`,
}

const ANSWER =
  '合同约定，租期届满且房屋交接完毕后，**7 个工作日内**退还押金，不计利息[1]。\n\n若有水电燃气欠费，房东可先从押金中抵扣，但要出示缴费凭证[2]。资料里没有写逾期退还的违约金。'

const world = await startWorld()
try {
  const owner = await world.user('home@example.com')
  const { chatbot } = await createAgent(world, owner, DOCUMENTS, { name: '租房顾问' })
  world.upstream.script('scripted', { text: ANSWER, chars: 3, every_ms: 60 })
  const asked = performance.now()
  const { chat_message } = await owner.call('POST /api/chat/create', { body: { chatbot, prompt: QUESTION } })
  const pieces: [ms: number, text: string][] = []
  let sources: SearchSource[] = []
  let doneMs = 0
  for await (const { data } of owner.events(chat_message.chat_id)) {
    const ms = Math.round(performance.now() - asked)
    doneMs = ms
    if (data === '[DONE]') break
    const event = JSON.parse(data) as ChatStreamEvent
    if ('search' in event) sources = event.search.sources
    if ('delta_content' in event) pieces.push([ms, event.delta_content])
  }
  const recording = {
    recorded_on: new Date().toISOString().slice(0, 10),
    question: QUESTION,
    sources: sources.map(({ n, title, site }) => ({ n, title, site })),
    pieces,
    done_ms: doneMs,
  }
  await writeFile(FILE, `${JSON.stringify(recording, null, 2)}\n`)
  console.log(JSON.stringify(recording), JSON.stringify(sources))
} finally {
  await world.close()
}
