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

/** Who knows what is exported. */
export type Exported = {
  users: Users
  conversations: Conversations
  agents: Agents
  blocks: Blocks
  prompts: Prompts
  glossary: Glossary
  statistics: Statistics
}

/** Things that are read at a time. */
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

/** Everything that a page of a list gives, until one is not full. */
async function* listAll<T>(readPage: (offset: number) => Promise<T[]>): AsyncGenerator<T> {
  for (let offset = 0; ; offset += SIZE) {
    const items = await readPage(offset)
    yield* items
    if (items.length < SIZE) return
  }
}

/** A list as one JSON array. */
async function* writeList(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const item of items) {
    yield separator + toJson(item)
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}

/** All files of a user's archive. */
export async function* listExportedFiles(deps: Exported, user_id: string): AsyncGenerator<ArchiveFile> {
  const { users, conversations, agents, blocks, prompts, glossary, statistics } = deps
  const [info, chat_setting] = await Promise.all([users.getInfo(user_id), users.getChatSetting(user_id)])
  yield { name: '说明.txt', content: once(ABOUT) }
  yield { name: 'profile.json', content: once(toJson({ ...info, chat_setting })) }
  yield { name: 'agents.json', content: writeList(listAgents(agents, user_id)) }
  const readBlocks = async (offset: number) =>
    (await blocks.list(user_id, { page: offset / SIZE + 1, size: SIZE })).items
  yield { name: 'documents.json', content: writeList(listAll(readBlocks)) }
  yield { name: 'prompts.json', content: once(toJson(await prompts.listOwn(user_id))) }
  yield { name: 'glossary.json', content: once(toJson(await glossary.list(user_id, { scope: 'own' }))) }
  yield { name: 'transactions.csv', content: once(await statistics.exportTransactions(user_id, {})) }
  const folders = await conversations.folders.list(user_id, DATI)
  yield { name: 'folders.json', content: once(toJson(folders.map(({ id, name }) => ({ id, name })))) }
  const readSessions = (offset: number) => conversations.sessions.listOwn(user_id, { offset, size: SIZE })
  for await (const { id, ...session } of listAll(readSessions)) {
    const messages = writeList(listMessages(conversations, user_id, id))
    yield { name: `conversations/${id}.json`, content: writeConversation({ id, ...session }, messages) }
  }
}

async function* writeConversation(session: object, messages: AsyncIterable<string>): AsyncGenerator<string> {
  yield `{\n"session": ${toJson(session)},\n"messages": `
  yield* messages
  yield '}\n'
}

async function* listAgents(agents: Agents, user_id: string): AsyncGenerator {
  const readCards = async (offset: number) =>
    (await agents.list(user_id, { tab: 'default', q: '', offset, size: SIZE })).items
  for await (const { uuid, owned } of listAll(readCards)) {
    // A person's own come first.
    if (!owned) return
    yield await agents.get(user_id, uuid)
  }
}

/** The messages of one conversation, the oldest first. They are read from its end, as the page of the chat reads them. */
async function* listMessages(
  { sessions }: Conversations,
  user_id: string,
  sess_id: string,
): AsyncGenerator<ChatMessage> {
  const pages: ChatMessage[][] = []
  for (let has_more = true; has_more;) {
    const before = pages.at(-1)?.[0]?.id
    // One that is deleted meanwhile has no more.
    const page = await sessions.messages(user_id, { sess_id, before, size: SIZE }).catch(() => null)
    if (page) pages.push(page.messages)
    has_more = page?.has_more ?? false
  }
  for (const page of pages.reverse()) yield* page.map(withoutErrorText)
}
