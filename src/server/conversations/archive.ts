import type { ChatMessage } from '#contract/chat.ts'
import { DATI } from '#contract/chatbot.ts'
import { withoutErrorText } from '#contract/conversations/failed-answer.ts'
import {
  ARCHIVE_PAGE_SIZE,
  listPages,
  toJson,
  writeList,
  writeText,
} from '#server/accounts/account/account.ts'
import type { ArchivePart } from '#server/accounts/account/account.ts'
import type { Conversations } from './conversations.ts'

/** Adds folders and conversations to the archive of a person's data. */
export const createConversationArchive = ({ folders, sessions }: Conversations): ArchivePart => ({
  about: [
    ['folders.json', '会话的文件夹'],
    ['conversations/', '每个对话一个文件，按你现在看到的样子；被替换的旧回答不在其中'],
  ],
  async *list(userId) {
    const own = await folders.list(userId, DATI)
    yield { name: 'folders.json', content: writeText(toJson(own.map(({ id, name }) => ({ id, name })))) }
    const readSessions = (offset: number) => sessions.listOwn(userId, { offset, size: ARCHIVE_PAGE_SIZE })
    for await (const { id, ...session } of listPages(readSessions)) {
      const messages = writeList(listMessages(sessions, userId, id))
      yield { name: `conversations/${id}.json`, content: writeConversation({ id, ...session }, messages) }
    }
  },
})

async function* writeConversation(session: object, messages: AsyncIterable<string>): AsyncGenerator<string> {
  yield `{\n"session": ${toJson(session)},\n"messages": `
  yield* messages
  yield '}\n'
}

/** Yields the messages of one conversation, the oldest first. They are read from its end, as in the chat. */
async function* listMessages(
  sessions: Conversations['sessions'],
  userId: string,
  sessId: string,
): AsyncGenerator<ChatMessage> {
  const pages: ChatMessage[][] = []
  for (let hasMore = true; hasMore;) {
    const before = pages.at(-1)?.[0]?.id
    // A conversation deleted meanwhile has no more messages.
    const query = { sess_id: sessId, before, size: ARCHIVE_PAGE_SIZE }
    const page = await sessions.messages(userId, query).catch(() => null)
    if (page) pages.push(page.messages)
    hasMore = page?.has_more ?? false
  }
  for (const page of pages.reverse()) yield* page.map(withoutErrorText)
}
