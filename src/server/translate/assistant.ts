import { targetLanguages } from '#contract/translate/languages.ts'
import { targetLanguage } from '#contract/translate/target-language.ts'
import type { Assistant } from '#server/conversations/conversations.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import { estimateTokens, resolvePreference } from '#server/llm/llm.ts'
import type { Users } from '#server/users/users.ts'
import { buildTextRules } from './engine/request.ts'
import { selectTerms } from './memory.ts'
import * as store from './store.ts'

const TEMPERATURE = 0.3
/** Tokens of a translation for each of its text: as expected, and at most. */
const EXPECTED_RATIO = 1.2
const MAX_RATIO = 3
/** A word may come to a sentence. */
const MIN_TOKENS = 500

type Options = {
  db: Db
  users: Users
  /** The translations of documents. */
  translate: { watch: NonNullable<Assistant['watchOther']> }
}

/** The channel `fanyi`: translates what it is given, each text without those before it. */
export const createTranslateAssistant = ({ db, users, translate }: Options): Assistant => ({
  watchOther: translate.watch,
  // Specification section 4.
  repeatsText: (model) => /^qwen/i.test(model),

  async prepareTurn({ visitor: { user_id, guest } }, { target_lang: wanted, tone }) {
    if (guest) throw new AppError('unauthorized')
    const { data: target_lang } = targetLanguage.safeParse(wanted)
    if (!target_lang) throw new AppError('bad_request')
    const { model, provider_sort } = await users.getPreferences(user_id)
    const terms = await store.listTerms(db, user_id, target_lang)
    return {
      getInitialModel: (session) => session.model ?? model,
      preference: resolvePreference(undefined, undefined, { provider_sort }),
      preparePrompt({ question, model: asked }) {
        const expected = estimateTokens(question, asked.id) * EXPECTED_RATIO
        if (expected > asked.max_tokens) throw new AppError('text_too_long')
        return {
          system: buildTextRules({
            target: targetLanguages[target_lang],
            tone: tone ?? '',
            terms: selectTerms(terms, question),
          }),
          alone: true,
          max_tokens: Math.ceil((expected / EXPECTED_RATIO) * MAX_RATIO) + MIN_TOKENS,
          temperature: TEMPERATURE,
          tools: [],
          preparation: null,
        }
      },
    }
  },
})
