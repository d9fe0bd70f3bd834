import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { ChatMessage } from '#contract/chat.ts'
import type { MessageGroup } from '#contract/compare/compare.ts'
import { message, session, type Options } from './messages.ts'
import { shortAnswer } from './texts.ts'

export type Comparisons = ReturnType<typeof createComparisons>

const MAX_COLUMNS = 8

/** Comparisons of the double: every column's answer comes at the rate of `options`, all of them over one stream. */
export function createComparisons({ answer, head, chunkChars, chunkMs }: Options) {
  const models = Array.from({ length: MAX_COLUMNS }, (_, i) => `column-${i + 1}`)
  const groupsOf = new Map<string, MessageGroup[]>()

  const createAnswer = (question: ChatMessage, model: string, text: string): ChatMessage => ({
    ...message(question.sess_id, 'ai', question.chat_id, text),
    model,
    chat_model: model,
  })

  return {
    models,

    seed(turns: number, columns: number): string {
      const sessId = randomUUID()
      const questions = Array.from({ length: turns }, (_, i) =>
        message(sessId, 'human', randomUUID(), `问题 ${i}`),
      )
      const groups = models.slice(0, columns).map((model, nth) => ({
        model,
        messages: questions.flatMap((question, i) => [
          question,
          createAnswer(question, model, shortAnswer(i + nth)),
        ]),
      }))
      groupsOf.set(sessId, groups)
      return sessId
    },

    read(chatbot: string) {
      const sessId = chatbot.slice('compare-'.length)
      const groups = groupsOf.get(sessId) ?? []
      const columns = groups.map(({ model }) => ({ model, settings: null }))
      // All at once, beyond the page size of the real server: the benchmark measures a page that has them all.
      return {
        session: session(sessId, chatbot),
        models: columns,
        blind: false,
        groups,
        votes: [],
        has_more: false,
      }
    },

    /** Returns null for a session that is no comparison. */
    ask({
      sess_id = '',
      prompt = '',
      models: asked = [],
    }: {
      sess_id?: string
      prompt?: string
      models?: string[]
    }) {
      const groups = groupsOf.get(sess_id)
      if (!groups) return null
      const question = message(sess_id, 'human', randomUUID(), prompt)
      const chatMessages = asked.map((model) => ({
        ...createAnswer(question, model, ''),
        status: 'typing' as const,
      }))
      for (const group of groups) {
        const own = chatMessages.find(({ model }) => model === group.model)
        if (own) group.messages.push(question, own)
      }
      return {
        chat_message: chatMessages[0],
        chat_messages: chatMessages,
        question,
        session: session(sess_id, 'compare'),
      }
    },

    stream(response: ServerResponse, chatId: string): void {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' })
      const asked = [...groupsOf.values()]
        .flat()
        .filter(({ messages }) => messages.some((one) => one.chat_id === chatId))
        .map(({ model }) => ({ model, run: randomUUID() }))
      const send = (n: number, deltaContent: string) => {
        const events = asked.map(
          ({ model, run }) =>
            `id: ${run}:${n}\ndata: ${JSON.stringify({ model, delta_content: deltaContent })}\n\n`,
        )
        response.write(events.join(''))
      }
      if (head) send(0, answer.slice(0, head))
      let at = head
      let n = 1
      const timer = setInterval(() => {
        const text = answer.slice(at, (at += chunkChars))
        if (text) return send(n++, text)
        clearInterval(timer)
        response.end('data: [DONE]\n\n')
      }, chunkMs)
      response.on('close', () => clearInterval(timer))
    },
  }
}
