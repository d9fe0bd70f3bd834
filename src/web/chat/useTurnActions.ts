import { type RefObject, useMemo } from 'react'
import { code, withCode } from '../ui/code.ts'
import type { TurnActions } from './actions.ts'
import type { ComposerHandle } from './Composer.tsx'
import { noteAsked } from './models.ts'
import { quoted } from './quote.ts'
import { WEB_SEARCH } from './search/useWebSearch.ts'

// Loaded at once, but the greeting and the composer do not wait for them.
const asking = code(() => import('./ask.ts'), true)
const stopping = code(() => import('./stop.ts'), true)
const versions = code(() => import('./versions.ts'))

type Options = {
  id: string
  model: string
  /** The web is searched before an answer. */
  searching: boolean
  composer: RefObject<ComposerHandle | null>
  /** A draft was given its session. */
  onSession: (sess_id: string) => void
}

/** The actions on the conversation `id`; new answers are the chosen model's. */
export function useTurnActions({
  id,
  model,
  searching,
  composer,
  onSession,
}: Options): TurnActions & { stop: () => void } {
  return useMemo(
    () => ({
      ask: (prompt, quick_action) => {
        noteAsked(model)
        const more = { ...(quick_action ? { quick_action } : {}), tools: searching ? [WEB_SEARCH] : [] }
        void withCode(
          asking,
          ({ ask }) => ask(id, prompt, model, { onSession, ...more }),
          () => composer.current?.giveBack(prompt),
        )
      },
      regenerate: ({ chat_id, local }, other = model) =>
        void withCode(asking, ({ regenerate }) =>
          regenerate(id, other, { onSession, ...(local ? {} : { chat_id }) }),
        ),
      edit: (question, prompt) => void withCode(asking, ({ edit }) => edit(id, question, prompt, model)),
      goOn: (answer) => void withCode(asking, ({ goOn }) => goOn(id, answer)),
      choose: (version) => void withCode(versions, ({ choose }) => choose(id, version)),
      remove: ({ chat_id }) => withCode(versions, ({ removeTurn }) => removeTurn(id, chat_id)),
      quote: (text) => composer.current?.quote(quoted(text)),
      stop: () => void withCode(stopping, ({ stop }) => stop(id)),
    }),
    [id, model, searching, composer, onSession],
  )
}
