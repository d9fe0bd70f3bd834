import { readFileSync } from 'node:fs'
import type { AgentChatResponse } from '#contract/gateway/agent-chat.ts'
import { NOT_FOUND_ANSWER } from '#contract/agents/agent-defaults.ts'
import { createAgent } from '#test/agents/agent.ts'
import { createCaller } from '#test/gateway/caller.ts'
import type { Caller } from '#test/gateway/caller.ts'
import { startUpstream } from '#test/world/upstream/upstream.ts'
import { startWorld } from '#test/world/world.ts'

// Measures whether an agent answers from the right passage and refuses what its sources cannot answer: XQuAD (Chinese), by POST
// /api/v1/agent/chat. `npm run bench:agents [-- [answerable] [unanswerable]]`; the data: ../shared/data/xquad, or XQUAD_DIR.

const DATA = process.env.XQUAD_DIR ?? '../shared/data/xquad'
const [ANSWERABLE = 200, UNANSWERABLE = 100] = process.argv.slice(2).map(Number)
/** Sources among every three articles; questions without an answer are about the others. */
const SOURCES_OF_THREE = 2
const AT_A_TIME = 8
const MODEL = 'model'

type Article = {
  title: string
  paragraphs: { context: string; qas: { question: string; answers: { text: string }[] }[] }[]
}
type Question = { question: string; answer: string; context: string }

const { data } = JSON.parse(readFileSync(`${DATA}/xquad.zh.json`, 'utf8')) as { data: Article[] }
const sourceCount = Math.floor((data.length / 3) * SOURCES_OF_THREE)
const [sources, others] = [data.slice(0, sourceCount), data.slice(sourceCount)]
const listQuestions = (articles: Article[]): Question[] =>
  articles.flatMap(({ paragraphs }) =>
    paragraphs.flatMap(({ context, qas }) =>
      qas.map(({ question, answers }) => ({ question, answer: answers[0]!.text, context })),
    ),
  )
/** Returns `count` of all, at even distances. */
const sample = <T>(all: T[], count: number): T[] =>
  Array.from({ length: count }, (_, at) => all[Math.floor((at * all.length) / count)]!)

const answerable = sample(listQuestions(sources), ANSWERABLE)
const unanswerable = sample(listQuestions(others), UNANSWERABLE)
const answers = new Map([...answerable, ...unanswerable].map(({ question, answer }) => [question, answer]))

/** Answers like a model that obeys its cards: with the card's answer, or by saying that there is none. */
function obey(prompt: string): string {
  const at = prompt.lastIndexOf('\n\n问题：')
  const answer = answers.get(prompt.slice(at + '\n\n问题：'.length))
  const cards = prompt.slice(0, at).split(/\n\n(?=\[\d+\] )/)
  const card = answer === undefined ? undefined : cards.find((one) => one.includes(answer))
  return card ? `答案是“${answer}” [${/\[(\d+)\]/.exec(card)?.[1]}]。` : NOT_FOUND_ANSWER
}

/** Only one model: the local one answers only where no platform does. */
const renderModel = (platform: object): string =>
  JSON.stringify({
    platforms: [{ name: 'only', alias: 'only', ...platform }],
    models: [
      {
        id: MODEL,
        name: MODEL,
        type: 'chat',
        offers: [{ platform: 'only', model: MODEL, input: 0, output: 0 }],
      },
    ],
  })

async function ask(
  caller: Caller,
  uuid: string,
  question: string,
): Promise<AgentChatResponse & { ms: number }> {
  const started = performance.now()
  const response = await caller.post({ uuid, question }, { path: '/api/v1/agent/chat' })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return { ...((await response.json()) as AgentChatResponse), ms: performance.now() - started }
}

async function mapInGroups<T, R>(all: T[], map: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let at = 0; at < all.length; at += AT_A_TIME)
    results.push(...(await Promise.all(all.slice(at, at + AT_A_TIME).map(map))))
  return results
}

const isRefusal = (content: string): boolean =>
  content.includes(NOT_FOUND_ANSWER) || /没有找到与问题有关/.test(content)
/** Tells whether a passage contains a part of a paragraph. */
const isOf = (content: string, context: string): boolean =>
  content.split('\n').some((line) => line.length > 20 && context.includes(line.slice(0, 60)))

async function tryModel(caller: Caller, uuid: string) {
  const asked = await mapInGroups(answerable, async (one) => ({
    ...one,
    ...(await ask(caller, uuid, one.question)),
  }))
  const given = asked.filter(({ content }) => !isRefusal(content))
  const isCited = ({ content, reference, context }: (typeof asked)[number]): boolean => {
    const [, n] = /\[(\d+)\]/.exec(content) ?? []
    const cited = reference.find((one) => one.n === Number(n))
    return cited !== undefined && isOf(cited.content, context)
  }
  const missed = await mapInGroups(unanswerable, ({ question }) => ask(caller, uuid, question))
  const times = asked.map(({ ms }) => ms).sort((a, b) => a - b)
  return {
    retrieved: asked.filter(({ reference, context }) =>
      reference.some(({ content }) => isOf(content, context)),
    ).length,
    answered: given.length,
    cited: given.filter(isCited).length,
    correct: given.filter((one) => isCited(one) && one.content.replaceAll('\\', '').includes(one.answer))
      .length,
    refused: missed.filter(({ content }) => isRefusal(content)).length,
    without_cards: missed.filter(({ reference }) => !reference.length).length,
    ms: Math.round(times[Math.floor(times.length / 2)]!),
  }
}

/** Puts all questions to an agent of the real app whose only model is on this platform. */
async function tryPlatform(platform: object) {
  const world = await startWorld({ models: () => renderModel(platform) })
  try {
    const owner = await world.user()
    const texts = Object.fromEntries(
      sources.map(({ title, paragraphs }) => [
        `${title}.md`,
        paragraphs.map(({ context }) => context).join('\n\n'),
      ]),
    )
    const { uuid } = await createAgent(world, owner, texts, { model: MODEL })
    return await tryModel(await createCaller(world, {}, owner), uuid)
  } finally {
    await world.close()
  }
}

const upstream = await startUpstream({ answer: (prompt) => ({ text: obey(prompt) }) })
try {
  console.table({
    'a model that obeys its cards': await tryPlatform({ dialect: 'openai', base_url: upstream.url }),
    'the local model': await tryPlatform({ dialect: 'local' }),
  })
} finally {
  await upstream.close()
}
