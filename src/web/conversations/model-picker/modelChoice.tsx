import { type ReactNode, type RefObject, useRef } from 'react'
import { create } from 'zustand'
import type { ChatModel } from '#contract/models.ts'
import { request } from '#web/core/api.ts'
import { sharedStorage } from '#web/core/browserStorage.ts'
import { useDeferredQuery } from '#web/core/deferredQuery.ts'
import { useUser } from '#web/core/user.ts'
import { getConversation, useConversations, type Message } from '#web/conversations/conversations.ts'
import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'
import { useOpening } from '#web/ui/popover/useOpening.ts'
import { isUsable } from './usableModels.ts'

const KEY = 'wenqu.model'
const RECENT_KEY = 'wenqu.models.recent'
const MAX_RECENT = 3

/** A link to `/chat?model=` overrides earlier choices in this browser. An unusable model in it is skipped. */
const linkedModel = location.pathname === '/chat' ? new URLSearchParams(location.search).get('model') : null

/** A choice made in a conversation after its turn `after`. The model of a later turn overrides it. */
type ModelSelection = { id: string; after: string }
type ModelSelections = { id: string | null; byConversation: Readonly<Record<string, ModelSelection>> }
const useModelSelections = create<ModelSelections>()(() => ({
  id: linkedModel ?? sharedStorage.getItem(KEY),
  byConversation: {},
}))

const getLastStoredMessage = (messages: readonly Message[] = []) =>
  messages.findLast((message) => !message.local)

/** Chooses the model of the given conversation, if any, and of conversations that start later. */
export function chooseModel(id: string, conversationId?: string): void {
  sharedStorage.setItem(KEY, id)
  useModelSelections.setState({ id })
  if (conversationId === undefined) return
  const lastTurnId = getLastStoredMessage(getConversation(conversationId)?.messages)?.chat_id ?? ''
  useModelSelections.setState((now) => ({
    byConversation: { ...now.byConversation, [conversationId]: { id, after: lastTurnId } },
  }))
}

/** Returns the ids of the models asked last, the latest first. */
const getRecentModels = (): string[] => (sharedStorage.getItem(RECENT_KEY) ?? '').split('\n').filter(Boolean)

export function addRecentModel(id: string): void {
  const recent = [id, ...getRecentModels().filter((other) => other !== id)].slice(0, MAX_RECENT)
  sharedStorage.setItem(RECENT_KEY, recent.join('\n'))
}

/** Returns the first of the preferred models that is usable, else the first usable one. */
function resolveModel(
  models: readonly ChatModel[],
  preferredIds: readonly (string | null | undefined)[],
  guest: boolean,
): ChatModel | null {
  const usableModels = models.filter((model) => isUsable(model, guest))
  const preferred = preferredIds.flatMap((id) => usableModels.find((model) => model.id === id) ?? [])
  return preferred[0] ?? usableModels[0] ?? null
}

export const modelsQuery = {
  queryKey: ['chat', 'models'],
  queryFn: ({ signal }: { signal: AbortSignal }) => request('GET /api/chat/models', {}, { signal }),
  staleTime: 60_000,
}

export type ModelChoice = ReturnType<typeof useModelChoice>

/**
 * Returns the chat models, and the one that the next question of a conversation goes to: the choice made there, else the model it
 * asked last, else the last choice anywhere. Not `enabled`: the agent has a model of its own, and nothing is loaded.
 */
export function useModelChoice(guest: boolean, conversationId: string, enabled = true) {
  const globalChoice = useModelSelections((state) => state.id)
  const conversationChoice = useModelSelections((state) => state.byConversation[conversationId])
  const last = useConversations((state) => getLastStoredMessage(state.byId[conversationId]?.messages))
  const query = useDeferredQuery({ ...modelsQuery, enabled })
  // A model that nobody can use here concerns only the operator.
  const models = (query.data?.models ?? []).filter(({ available }) => available)
  const chosenId = conversationChoice?.after === (last?.chat_id ?? '') ? conversationChoice.id : null
  const preferredIds = [chosenId, last?.model, globalChoice, query.data?.default_model]
  return { models, model: resolveModel(models, preferredIds, guest), query }
}

const ModelList = lazyComponent(() => import('./ModelList.tsx'), {
  getOnClose: ({ onClose }) => onClose,
})

/** Props to spread on the button that opens the list. */
type TriggerProps = {
  ref: RefObject<HTMLButtonElement | null>
  'aria-haspopup': 'dialog'
  'aria-expanded': boolean
  onPointerDown: () => void
  onClick: () => void
}

type MenuProps = {
  models: ChatModel[]
  current: string | null
  onChoose: (id: string) => void
  trigger: (props: TriggerProps) => ReactNode
}

// In this file because not every part that chooses models shows them: a separate file would add one to the chat's first load.
/** Renders a button that opens a list of models, and gets the focus back when one of them is chosen. */
export function ModelMenu({ models, current, onChoose, trigger }: MenuProps) {
  const user = useUser()
  const { opening, open, close } = useOpening()
  const button = useRef<HTMLButtonElement>(null)
  const wasOpenOnPress = useRef(false)
  return (
    <>
      {trigger({
        ref: button,
        'aria-haspopup': 'dialog',
        'aria-expanded': opening !== null,
        // The press that closes the list from outside must not open it again with its click.
        onPointerDown: () => {
          wasOpenOnPress.current = opening !== null
        },
        onClick: () => {
          if (wasOpenOnPress.current) close()
          else open()
          wasOpenOnPress.current = false
        },
      })}
      {opening !== null && (
        <ModelList
          key={opening}
          anchor={button}
          models={models}
          recent={getRecentModels()}
          current={current}
          guest={user === null}
          defaultModel={user?.model ?? null}
          onDefault={chooseModel}
          onChoose={(id) => {
            onChoose(id)
            close()
            button.current?.focus()
          }}
          onClose={close}
        />
      )}
    </>
  )
}
