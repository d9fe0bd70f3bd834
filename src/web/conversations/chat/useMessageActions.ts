import { type RefObject, useMemo } from 'react'
import { THINKING } from '#contract/chat-tools.ts'
import { withModule } from '#web/ui/lazy/withModule.ts'
import {
  getAskModule,
  getConversation,
  getVersionsModule,
  savePendingQuestion,
  toDraft,
} from '#web/conversations/conversations.ts'
import type { MessageActions } from '#web/conversations/thread/thread.tsx'
import type { ComposerHandle } from '#web/conversations/composer/composer.tsx'
import { addRecentModel } from '#web/conversations/model-picker/model-picker.tsx'
import { toBlockquote } from '#web/markdown/markdown.tsx'
import { WEB_SEARCH } from '#web/conversations/web-search/web-search.ts'

type Options = {
  id: string
  /** Null where the chatbot has a model of its own. */
  model: string | null
  /** The web is searched before answering. */
  isWebSearchOn: boolean
  /** Models whose thinking can be switched do think. */
  isThinkingOn: boolean
  composer: RefObject<ComposerHandle | null>
  /** The draft has been given its session. */
  onSession: (sessId: string) => void
  /** A copy of the conversation has to be shown. */
  onFork: (sessId: string) => void
  /** A new conversation has to be shown. */
  onNew: () => void
}

/** The actions on the conversation `id`; new answers come from the chosen model. */
export function useMessageActions({
  id,
  model: chosenModel,
  isWebSearchOn,
  isThinkingOn,
  composer,
  onSession,
  onFork,
  onNew,
}: Options): MessageActions & { stop: () => void } {
  const canChooseModel = chosenModel !== null
  const model = chosenModel ?? ''
  return useMemo(
    () => ({
      canChooseModel,
      ask: (prompt, more) => {
        if (model) addRecentModel(model)
        const options = {
          ...more,
          tools: [...(isWebSearchOn ? [WEB_SEARCH] : []), ...(isThinkingOn ? [THINKING] : [])],
        }
        void withModule(
          getAskModule,
          ({ ask }) => ask(id, prompt, model, { onSession, ...options }),
          () => composer.current?.restoreQuestion(prompt),
        )
      },
      regenerate: ({ chat_id, local }, other = model) =>
        void withModule(getAskModule, ({ regenerate }) =>
          regenerate(id, other, { onSession, ...(local ? {} : { chat_id }) }),
        ),
      edit: (question, prompt) =>
        void withModule(getAskModule, ({ editQuestion }) => editQuestion(id, question, prompt, model)),
      moveToNewChat: (answer) => {
        const messages = getConversation(id)?.messages ?? []
        const question = messages[messages.findIndex(({ key }) => key === answer.key) - 1]
        if (question) savePendingQuestion(toDraft(question))
        onNew()
      },
      continueAnswer: (answer) =>
        void withModule(getAskModule, ({ continueAnswer }) => continueAnswer(id, answer)),
      selectVersion: (version) =>
        void withModule(getVersionsModule, ({ selectVersion }) => selectVersion(id, version)),
      deleteTurn: ({ chat_id }) => withModule(getVersionsModule, ({ deleteTurn }) => deleteTurn(id, chat_id)),
      openFork: onFork,
      quote: (text) => composer.current?.insertQuote(toBlockquote(text)),
      stop: () => void withModule(getAskModule, ({ stopAnswer }) => stopAnswer(id)),
    }),
    [id, model, canChooseModel, isWebSearchOn, isThinkingOn, composer, onSession, onFork, onNew],
  )
}
