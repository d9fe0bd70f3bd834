import type { ChatMessage } from '#contract/chat.ts'
import { withoutErrorText } from '#contract/conversations/failed-answer.ts'
import { DATI } from '#contract/chatbot.ts'
import type { Agents } from '#server/agents/agents.ts'
import type { Blocks } from '#server/blocks/blocks.ts'
import type { Conversations } from '#server/conversations/conversations.ts'
import type { Prompts } from '#server/prompts/prompts.ts'
import type { Statistics } from '#server/statistics/statistics.ts'
import type { Glossary } from '#server/translate/translate.ts'
import type { Users } from '#server/users/users.ts'
import type { ArchiveFile } from './archive.ts'

/** The features whose data is exported. */
export type Exported = {
  users: Users
  conversations: Conversations
  agents: Agents
  blocks: Blocks
  prompts: Prompts
  glossary: Glossary
  statistics: Statistics
}

/** Items read at a time. */
const SIZE = 100

const ABOUT = `这是你在问渠的数据。

profile.json        资料与设置
folders.json        会话的文件夹
conversations/      每个对话一个文件，按你现在看到的样子；被替换的旧回答不在其中
agents.json         你的智能体，含提示词与来源
documents.json      你上传的文件与链接的清单；文件本身可在“文档”页下载
prompts.json        你保存的提示词
glossary.json       你的术语表
transactions.csv    收支明细，最近 50000 条
`

const toJson = (value: unknown): string => JSON.stringify(value, null, 2)

async function* once(content: string): AsyncGenerator<string> {
  yield content
}

/** Yields the items of all pages, until a page is not full. */
async function* listAll<T>(readPage: (offset: number) => Promise<T[]>): AsyncGenerator<T> {
  for (let offset = 0; ; offset += SIZE) {
    const items = await readPage(offset)
    yield* items
    if (items.length < SIZE) return
  }
}

/** Writes a list as one JSON array. */
async function* writeList(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const item of items) {
    yield separator + toJson(item)
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}

/** Yields all files of a user's archive. */
export async function* listExportedFiles(deps: Exported, userId: string): AsyncGenerator<ArchiveFile> {
  const { users, conversations, agents, blocks, prompts, glossary, statistics } = deps
  const [info, chatSetting] = await Promise.all([users.getInfo(userId), users.getChatSetting(userId)])
  yield { name: '说明.txt', content: once(ABOUT) }
  yield { name: 'profile.json', content: once(toJson({ ...info, chat_setting: chatSetting })) }
  yield { name: 'agents.json', content: writeList(listAgents(agents, userId)) }
  const readBlocks = async (offset: number) =>
    (await blocks.list(userId, { page: offset / SIZE + 1, size: SIZE })).items
  yield { name: 'documents.json', content: writeList(listAll(readBlocks)) }
  yield { name: 'prompts.json', content: once(toJson(await prompts.listOwn(userId))) }
  yield { name: 'glossary.json', content: once(toJson(await glossary.list(userId, { scope: 'own' }))) }
  yield { name: 'transactions.csv', content: once(await statistics.exportTransactions(userId, {})) }
  const folders = await conversations.folders.list(userId, DATI)
  yield { name: 'folders.json', content: once(toJson(folders.map(({ id, name }) => ({ id, name })))) }
  const readSessions = (offset: number) => conversations.sessions.listOwn(userId, { offset, size: SIZE })
  for await (const { id, ...session } of listAll(readSessions)) {
    const messages = writeList(listMessages(conversations, userId, id))
    yield { name: `conversations/${id}.json`, content: writeConversation({ id, ...session }, messages) }
  }
}

async function* writeConversation(session: object, messages: AsyncIterable<string>): AsyncGenerator<string> {
  yield `{\n"session": ${toJson(session)},\n"messages": `
  yield* messages
  yield '}\n'
}

async function* listAgents(agents: Agents, userId: string): AsyncGenerator {
  const readCards = async (offset: number) =>
    (await agents.list(userId, { tab: 'default', q: '', offset, size: SIZE })).items
  for await (const { uuid, owned } of listAll(readCards)) {
    // A person's own agents come first.
    if (!owned) return
    yield await agents.get(userId, uuid)
  }
}

/** Yields the messages of one conversation, the oldest first. They are read from its end, as in the chat. */
async function* listMessages(
  { sessions }: Conversations,
  userId: string,
  sessId: string,
): AsyncGenerator<ChatMessage> {
  const pages: ChatMessage[][] = []
  for (let hasMore = true; hasMore;) {
    const before = pages.at(-1)?.[0]?.id
    // A conversation deleted meanwhile has no more messages.
    const page = await sessions.messages(userId, { sess_id: sessId, before, size: SIZE }).catch(() => null)
    if (page) pages.push(page.messages)
    hasMore = page?.has_more ?? false
  }
  for (const page of pages.reverse()) yield* page.map(withoutErrorText)
}
