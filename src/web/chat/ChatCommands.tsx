import { type RefObject, useEffect } from 'react'
import { useCommands } from '../shortcuts/handlers.ts'
import { copyText } from '../ui/copyText.ts'
import type { TurnActions } from './actions.ts'
import type { ComposerHandle } from './Composer.tsx'
import type { Conversation } from './conversation.ts'
import { lastCode } from './lastCode.ts'
import { liveText } from './live.ts'
import { loadAhead } from './loadAhead.ts'
import { useOnScreen } from './onScreen.ts'

type Options = {
  id: string
  shown: Conversation | undefined
  typing: boolean
  composer: RefObject<ComposerHandle | null>
  actions: TurnActions & { stop: () => void }
}

/** What the keyboard and the palette can do in a conversation. */
export default function ChatCommands({ id, shown, typing, composer, actions }: Options): null {
  // What is shown further up of a conversation has no last answer.
  const answer = shown?.has_newer ? undefined : shown?.turns.findLast(({ role }) => role === 'ai')
  const text = () => (answer ? (liveText(answer.id) ?? answer.text) : '')
  const code = () => lastCode(text())
  useOnScreen(id)
  useEffect(() => {
    if (answer && !typing) void loadAhead()
  }, [answer?.id, typing])
  useCommands({
    focusComposer: () => composer.current?.focus(),
    prompts: () => composer.current?.browse(),
    stop: typing ? actions.stop : null,
    regenerate: answer && !typing ? () => actions.regenerate(answer) : null,
    copyAnswer: answer ? () => void copyText(text()) : null,
    copyCode: answer && code() !== null ? () => void copyText(code() ?? '') : null,
  })
  return null
}
