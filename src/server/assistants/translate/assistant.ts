import type { TranslationQuestion } from '#contract/questions/questions.ts'
import { targetLanguages } from '#contract/translate/languages.ts'
import { parseTargetLanguage } from '#contract/translate/target-language.ts'
import type { Assistant } from '#server/conversations/conversations.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import { canUseModel, estimateTokens, requireModelAccess, resolvePreference } from '#server/llm/llm.ts'
import type { Catalogue } from '#server/llm/llm.ts'
import type { Users } from '#server/accounts/users/users.ts'
import { buildTextRules } from './engine/request.ts'
import { selectTerms } from './memory.ts'
import { getOtherLanguage } from './other-language.ts'
import * as store from './store.ts'
import { recallText, rememberText } from './text-memory.ts'

const ACCESS = { type: 'chat' } as const
const TEMPERATURE = 0.3
/** Tokens of a translation for each token of its text: as expected, and at most. */
const EXPECTED_RATIO = 1.2
const MAX_RATIO = 3
/** Tokens beyond these: one word may become a sentence. */
const MIN_TOKENS = 500

type Options = {
  db: Db
  users: Users
  catalogue: Catalogue
  /** The translations of documents. */
  translate: { watch: NonNullable<Assistant['watchOther']> }
}

/** The assistant of the channel `fanyi`: translates each text without those before it. */
export const createTranslateAssistant = ({
  db,
  users,
  catalogue,
  translate,
}: Options): Assistant<TranslationQuestion> => ({
  watchOther: translate.watch,
  // Specification section 4.
  repeatsText: (model) => /^qwen/i.test(model),

  async prepareTurn({ visitor: { user_id, guest } }, input) {
    if (guest) throw new AppError('unauthorized')
    const { target_lang: requestedLang, prompt } = input
    const targetLang = requestedLang
      ? parseTargetLanguage(requestedLang)
      : prompt
        ? getOtherLanguage(prompt)
        : null
    if (!targetLang) throw new AppError('bad_request')
    const { model: preferred, provider_sort } = await users.getPreferences(user_id)
    const usable = preferred !== null && canUseModel(catalogue, preferred, ACCESS) ? preferred : null
    const { id } = requireModelAccess(catalogue, input.model ?? usable ?? catalogue.getDefaultModel(), ACCESS)
    const terms = await store.listTerms(db, user_id, targetLang)
    const tone = input.tone ?? ''
    const settings = { user_id, model: id, target_lang: targetLang, tone }
    const isKnown = !input.fresh && !input.regen && !input.continue
    return {
      getInitialModel: () => id,
      prefilled: isKnown ? await recallText(db, settings, terms, input.prompt) : null,
      preference: resolvePreference(undefined, undefined, { provider_sort }),
      run_kind: 'translation',
      preparePrompt({ question, partial, model: modelEntry }) {
        const expected = estimateTokens(question, modelEntry.id) * EXPECTED_RATIO
        if (expected > modelEntry.max_tokens) throw new AppError('text_too_long')
        return {
          system: buildTextRules({
            target: targetLanguages[targetLang],
            tone,
            terms: selectTerms(terms, question),
          }),
          alone: true,
          max_tokens: Math.ceil((expected / EXPECTED_RATIO) * MAX_RATIO) + MIN_TOKENS,
          temperature: TEMPERATURE,
          tools: [],
          preparation: null,
          async onSettled(tx, { state, text: result, response: { finish } }) {
            const isWhole = state === 'done' && finish !== 'length'
            if (isWhole && !partial) await rememberText(tx, settings, terms, { source: question, result })
          },
        }
      },
    }
  },
})
