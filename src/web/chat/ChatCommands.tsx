import { type RefObject, useEffect } from 'react'
import { useCommands } from '#web/commands/commandRegistry.ts'
import { copyText } from '#web/ui/clipboard.ts'
import type { MessageActions } from '#web/thread/message/messageActions.ts'
import type { ComposerHandle } from '#web/composer/Composer.tsx'
import type { Conversation } from '#web/conversations/conversationStore.ts'
import { getLastCodeBlock } from '#web/markdown/code/lastCodeBlock.ts'
import { getLiveText } from '#web/conversations/liveAnswers.ts'
import { preloadParts } from './preload.ts'
import { useVisibleConversation } from '#web/conversations/visibleConversation.ts'

type Options = {
  id: string
  conversation: Conversation | undefined
  isTyping: boolean
  composer: RefObject<ComposerHandle | null>
  actions: MessageActions & { stop: () => void }
}

/** What the keyboard and the palette can do in a conversation. */
export default function ChatCommands({ id, conversation, isTyping, composer, actions }: Options): null {
  // What is shown further up of a conversation has no last answer.
  const answer = conversation?.has_newer
    ? undefined
    : conversation?.messages.findLast(({ role }) => role === 'ai')
  const getText = () => (answer ? (getLiveText(answer.id) ?? answer.text) : '')
  const getCode = () => getLastCodeBlock(getText())
  const answer_id = answer?.id
  useVisibleConversation(id)
  useEffect(() => {
    if (answer_id && !isTyping) void preloadParts()
  }, [answer_id, isTyping])
  useCommands({
    focusComposer: () => composer.current?.focus(),
    prompts: () => composer.current?.openLibrary(),
    stop: isTyping ? actions.stop : null,
    regenerate: answer && !isTyping ? () => actions.regenerate(answer) : null,
    copyAnswer: answer ? () => void copyText(getText()) : null,
    copyCode: answer && getCode() !== null ? () => void copyText(getCode() ?? '') : null,
  })
  return null
}
