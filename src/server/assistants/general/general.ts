import type { GeneralQuestion } from '#contract/questions/questions.ts'
import type { ChatSetting } from '#contract/users.ts'
import { THINKING } from '#contract/chat-tools.ts'
import { WEB_SEARCH } from '#contract/web-search.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import type { Config } from '#server/core/config.ts'
import { toChinaDay } from '#contract/dates/dates.ts'
import { hashWithSecret } from '#server/core/secrets.ts'
import { joinPreparations } from '#server/conversations/conversations.ts'
import type { Assistant } from '#server/conversations/conversations.ts'
import { resolvePreference } from '#server/llm/llm.ts'
import type { Blocks } from '#server/documents/blocks/blocks.ts'
import type { Users } from '#server/accounts/users/users.ts'
import { createSearchPreparation } from '#server/conversations/web-search/web-search.ts'
import type { WebSearch } from '#server/conversations/web-search/web-search.ts'
import * as store from './store.ts'

export { countTurns } from './store.ts'

/** Guests that an address stands for: a household or an office may share it. */
const GUESTS_PER_ADDRESS = 4

type Options = {
  users: Users
  /** Null if no web search is configured. */
  search: WebSearch | null
  blocks: Blocks
  limits: GuestLimits
}
/** The fields that it reads, which the channel of comparisons has, too. */
type Input = Pick<GeneralQuestion, 'tools' | 'block' | 'content_type' | 'regen'>
type GuestLimits = Pick<Config, 'app_secret' | 'guest_turns' | 'guest_turns_total'>

/** The general assistant, channel `dati`: every chat model, with the person's introduction and style in every conversation. */
export function createChatAssistant({ users, search, blocks, limits }: Options): Assistant<Input> {
  return {
    async prepareTurn({ visitor, client }, input) {
      if (input.tools?.some((tool) => tool !== WEB_SEARCH && tool !== THINKING))
        throw new AppError('tool_unknown')
      if (input.tools?.includes(WEB_SEARCH) && !search) throw new AppError('tool_unavailable')
      const spoken = await blocks.readQuestion(visitor.user_id, input)
      const { model, provider_sort, chat_setting } = await users.getPreferences(visitor.user_id)
      return {
        getInitialModel: (session) => model ?? session.model,
        preference: resolvePreference(undefined, undefined, { provider_sort }),
        spoken,
        async beforeRun(tx, turns) {
          if (visitor.guest) await countGuestTurns(tx, limits, { guest_id: visitor.user_id, client, turns })
        },
        preparePrompt: ({ question, tools, blocks: about, settings, model: modelEntry }) => ({
          system: joinSystemTexts(buildPersonalText(chat_setting), settings.system_prompt),
          tools: tools.filter((tool) => search || tool !== WEB_SEARCH),
          preparation: joinPreparations(
            search && tools.includes(WEB_SEARCH)
              ? createSearchPreparation(search, question, modelEntry.id)
              : null,
            blocks.createPreparation(visitor.user_id, about, question, modelEntry),
          ),
        }),
      }
    },
  }
}

/** Deletes the counts of earlier days. */
export const sweepGuestTurns = (db: Db): Promise<void> => store.sweepGuestTurns(db, toChinaDay(new Date()))

/**
 * Counts today's turns of a guest. Throws AppError guest_limit when the guest or the address has used up its turns, guest_budget
 * when all guests together have.
 */
async function countGuestTurns(
  tx: Db,
  { app_secret, guest_turns, guest_turns_total }: GuestLimits,
  { guest_id, client, turns }: { guest_id: string; client: string; turns: number },
): Promise<void> {
  // The row that all guests share comes last, so that it is locked for the shortest time; all lock in the same order.
  const address = hashWithSecret(app_secret, 'guest', client)
  const keys = [`guest:${guest_id}`, `address:${address}`, 'house']
  const [byGuest = 0, byAddress = 0, total = 0] = await store.countTurns(
    tx,
    toChinaDay(new Date()),
    keys,
    turns,
  )
  if (byGuest > guest_turns || byAddress > guest_turns * GUESTS_PER_ADDRESS) throw new AppError('guest_limit')
  if (total > guest_turns_total) throw new AppError('guest_budget')
}

/** Formats a person's introduction and reply style for the model; empty if they are switched off. */
function buildPersonalText(setting: ChatSetting | null): string {
  if (!setting?.enabled) return ''
  const { self_intro, reply_style } = setting
  return [
    self_intro && `用户的自我介绍：\n${self_intro}`,
    reply_style && `用户希望的回答风格：\n${reply_style}`,
  ]
    .filter(Boolean)
    .join('\n\n')
}

/** Joins system texts: the person's own for all conversations, then this one's. */
const joinSystemTexts = (...texts: string[]): string => texts.filter((text) => text.trim()).join('\n\n')
