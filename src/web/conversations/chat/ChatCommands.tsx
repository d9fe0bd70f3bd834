import { type RefObject, useEffect } from 'react'
import { useCommands } from '#web/conversations/commands/commands.ts'
import { copyText } from '#web/ui/clipboard.ts'
import type { MessageActions } from '#web/conversations/thread/thread.tsx'
import type { ComposerHandle } from '#web/conversations/composer/composer.tsx'
import { type Conversation, getLiveText, useVisibleConversation } from '#web/conversations/conversations.ts'
import { getLastCodeBlock } from '#web/markdown/markdown.tsx'
import { preloadParts } from './preload.ts'

type Options = {
  id: string
  conversation: Conversation | undefined
  isTyping: boolean
  composer: RefObject<ComposerHandle | null>
  actions: MessageActions & { stop: () => void }
}

/** Commands of the keyboard and the palette in a conversation. */
export default function ChatCommands({ id, conversation, isTyping, composer, actions }: Options): null {
  // A page further up in the conversation does not contain the last answer.
  const answer = conversation?.has_newer
    ? undefined
    : conversation?.messages.findLast(({ role }) => role === 'ai')
  const getText = () => (answer ? (getLiveText(answer.id) ?? answer.text) : '')
  const getCode = () => getLastCodeBlock(getText())
  const answerId = answer?.id
  useVisibleConversation(id)
  useEffect(() => {
    if (answerId && !isTyping) void preloadParts()
  }, [answerId, isTyping])
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
