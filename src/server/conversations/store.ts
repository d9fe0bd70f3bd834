import { sql } from 'drizzle-orm'
import type { SQL, SQLWrapper } from 'drizzle-orm'
import { isChannel } from '#contract/chatbot.ts'

/** What stands in a column is this chatbot; of a bare channel, one of its agents or documents. */
export const matchChatbot = (column: SQLWrapper, chatbot: string): SQL =>
  isChannel(chatbot) ? sql`${column} LIKE ${`${chatbot}-%`}` : sql`${column} = ${chatbot}`
