import { z } from 'zod'

const CHATBOT_NOTE =
  '助手：dati 通用、zhiku-编号 智能体、block-编号 文档、compare 对比、fanyi 翻译；编号也可以放在 agent、block 字段里'

/**
 * `{type}` or `{type}-{id}`: the assistant that a conversation belongs to. `dati` is the general assistant; `zhiku-{uuid}` a
 * knowledge agent; `block-{id}` a document; `compare`, `compare-{id}` and `fanyi` comparison and translation. Bare `zhiku` and
 * `block` name the channel and none of its agents or documents, unless an id stands in a field beside it: see `joinChatbot`.
 */
export const chatbot = createChatbot(/^(dati|fanyi|(zhiku|block|compare)(-[0-9a-zA-Z-]{1,40})?)$/)

/** The chatbots of one channel. */
export const channelChatbot = (channel: Channel) => createChatbot(CHANNEL_PATTERNS[channel])

const CHANNEL_PATTERNS = {
  dati: /^dati$/,
  fanyi: /^fanyi$/,
  zhiku: /^zhiku(-[0-9a-zA-Z-]{1,40})?$/,
  block: /^block(-[0-9a-zA-Z-]{1,40})?$/,
  compare: /^compare(-[0-9a-zA-Z-]{1,40})?$/,
}
type Channel = keyof typeof CHANNEL_PATTERNS

function createChatbot(pattern: RegExp) {
  return z
    .string()
    .max(80)
    .regex(pattern, '没有这个助手，可以是：dati、zhiku、block、compare、fanyi，或带编号，如 zhiku-编号')
    .transform(replaceForeignId)
    .describe(CHATBOT_NOTE)
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** An id that nothing has. */
export const NOBODY = '00000000-0000-0000-0000-000000000000'

/** Replaces an id that cannot be one of an agent or comparison, which have UUIDs, by `NOBODY`. */
export function replaceForeignId(text: string): string {
  const [, channel, id] = /^(zhiku|compare)-(.+)$/.exec(text) ?? []
  return id === undefined || UUID.test(id) ? text : `${channel}-${NOBODY}`
}

/** A chatbot that narrows down a list: an invalid one finds nothing. */
export const filterChatbot = z.string().min(1).max(120).describe(CHATBOT_NOTE)

export const DATI = 'dati'
export const BLOCK = 'block'
/** Several models answer each question, side by side. `compare-{id}` names a conversation of this channel by its session. */
export const COMPARE = 'compare'
/** The session that `compare-{id}` names; undefined for `compare`, the current one, and for other channels. */
export const getComparedSession = (chatbot: string): string | undefined =>
  chatbot.startsWith(`${COMPARE}-`) ? chatbot.slice(COMPARE.length + 1) : undefined
/** The channel of agents, and of the documents that they answer from: these are indexed once they are read. */
export const ZHIKU = 'zhiku'
/** Translations of texts: each turn on its own, without the conversation so far. */
export const FANYI = 'fanyi'
/** A channel and none of its agents or documents: bare `zhiku` or `block`. */
export const isChannel = (chatbot: string): boolean => chatbot === ZHIKU || chatbot === BLOCK

/** Fields of a request that name an agent, document or comparison beside its bare channel. */
const idFields: Readonly<Record<string, readonly string[]>> = {
  [ZHIKU]: ['agent'],
  [BLOCK]: ['block'],
  [COMPARE]: ['id', 'sess_id'],
}

/**
 * Returns the fields of a request with the chatbot in one word: a bare channel with an id beside it, `{chatbot: 'block', block:
 * id}`, `{chatbot: 'zhiku', agent: uuid}`, `{chatbot: 'compare', id}`, reads like `block-{id}` and so on. The first of several
 * blocks is the conversation's document, and the question is about the others, too. A `sess_id` that the call itself takes
 * (`shape`) stays a field.
 */
export function joinChatbot(fields: Record<string, unknown>, shape: object): Record<string, unknown> {
  const { chatbot: channel, ...others } = fields
  if (typeof channel !== 'string' || !Object.hasOwn(idFields, channel)) return fields
  for (const name of idFields[channel]!) {
    const value = others[name]
    if (typeof value !== 'string' || !value || (name === 'sess_id' && name in shape)) continue
    const [id, ...rest] = value.split(',')
    return { ...others, chatbot: `${channel}-${id}`, [name]: rest.length ? rest.join(',') : undefined }
  }
  return fields
}
