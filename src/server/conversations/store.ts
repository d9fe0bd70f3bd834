import { sql } from 'drizzle-orm'
import type { SQL, SQLWrapper } from 'drizzle-orm'
import { isChannel } from '#contract/chatbot.ts'

/** Matches a column with this chatbot; a bare channel stands for all of its agents or documents. */
export const matchChatbot = (column: SQLWrapper, chatbot: string): SQL =>
  isChannel(chatbot) ? sql`${column} LIKE ${`${chatbot}-%`}` : sql`${column} = ${chatbot}`
