import { router } from '@inertiajs/react'
import { clsx } from 'clsx'
import type { PageProps } from '#contract/pages.ts'
import { ChatHeader } from '#web/conversations/chat/ChatHeader.tsx'
import { Composer } from '#web/conversations/composer/composer.tsx'
import { toDraftKey } from '#web/conversations/conversations.ts'
import { Examples, Greeting } from '#web/conversations/chat/Greeting.tsx'
import { useWebSearch } from '#web/conversations/web-search/web-search.ts'
import { SideChat } from '#web/conversations/chat/SideChat.tsx'
import { useChat } from '#web/conversations/chat/useChat.tsx'
import { useConfig, usePageUrl } from '#web/core/page.ts'
import { useUser } from '#web/core/user.ts'
import { AppPage } from '#web/shell/AppPage.tsx'
import { chatText } from '#web/text/chat.ts'
import { Water } from '#web/ui/water/Water.tsx'
import { VoicePlayer } from '#web/conversations/voice/voice.ts'
import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'

export { ComparePage } from '#web/assistants/compare/compare.ts'
export { TranslatePage } from '#web/assistants/translate/translate.ts'
export { Composer, SideChat }

const ChatCommands = lazyComponent(() => import('#web/conversations/chat/ChatCommands.tsx'), { silent: true })
export const importAgentChat = () => import('#web/assistants/agents/AgentChatPage.tsx')
const AgentChatPage = lazyComponent(async () => ({ default: (await importAgentChat()).AgentChatPage }))

const columnClass = 'mx-auto w-full max-w-[51rem] px-4 md:px-6'

/** Puts the session into the address, and leaves the page as it is. Does nothing if the person has moved on meanwhile. */
function setSessionInUrl(sessId: string): void {
  const here = new URL(location.href)
  if (here.pathname !== '/chat' || here.searchParams.has('sess_id')) return
  here.searchParams.set('sess_id', sessId)
  here.searchParams.delete('model')
  router.replace({ url: here.pathname + here.search, preserveState: true, preserveScroll: true })
}

const openFork = (sessId: string): void =>
  router.push({ url: `/chat?sess_id=${sessId}`, preserveState: true, preserveScroll: true })
const openNew = (): void => router.visit('/chat')

/** A chat with the general assistant, or with an agent. */
export default function Chat({ agent }: PageProps<'Chat'>) {
  if (!agent) return <GeneralChat />
  return (
    <AgentChatPage
      key={agent}
      id={agent}
      renderChat={(props, key) => <SideChat key={key} {...props} />}
      renderPage={(page) => <AppPage {...page} />}
    />
  )
}

/** The chat with the general assistant. `?sess_id=` names the session; without it a new one begins. */
function GeneralChat() {
  const user = useUser()
  const { searchParams } = usePageUrl()
  const { web_search, read_aloud } = useConfig()
  const chat = useChat({
    sess_id: searchParams.get('sess_id'),
    message_id: searchParams.get('message'),
    isGuest: user === null,
    isWebSearchOn: useWebSearch() && web_search,
    onSession: setSessionInUrl,
    onFork: openFork,
    onNew: openNew,
  })
  const { id, conversation, isTyping, choice, actions, composer, isEmpty, onSession, renderMessages } = chat

  return (
    <AppPage
      title={chatText.title}
      header={<ChatHeader {...{ id, conversation, onSession }} modelChoice={choice} />}
    >
      {/* The composer keeps its place among these children, so that it keeps its text and focus. */}
      <div className={clsx('relative flex min-h-0 flex-1 flex-col', isEmpty && 'overflow-y-auto')}>
        {isEmpty && <Water lines={22} className="inset-x-0 top-0 h-full w-full opacity-60" />}
        {isEmpty ? (
          <div className={`${columnClass} relative mt-auto pb-6 max-md:pb-5`}>
            <Greeting name={user?.name ?? null} />
          </div>
        ) : (
          renderMessages()
        )}
        <div className={clsx(columnClass, isEmpty && 'relative max-md:order-3 max-md:pb-4')}>
          <ChatCommands {...{ id, conversation, isTyping, composer, actions }} />
          {user && read_aloud && <VoicePlayer conversation={conversation} />}
          <Composer
            ref={composer}
            draftKey={toDraftKey(id)}
            conversationKey={conversation?.key ?? id}
            typing={isTyping}
            thinking={choice.model?.thinking ?? null}
            web_search={web_search}
            onSend={actions.ask}
            onStop={actions.stop}
          />
        </div>
        {isEmpty ? (
          <div
            className={`${columnClass} relative mb-auto pt-6 pb-10 max-md:order-2 max-md:mb-0 max-md:py-0 max-md:pb-4`}
          >
            <Examples onChoose={(prompt) => composer.current?.setText(prompt)} />
          </div>
        ) : (
          <p className="py-2 text-center text-xs text-ink3">{chatText.disclaimer}</p>
        )}
      </div>
      {!isEmpty && <h1 className="sr-only">{chatText.title}</h1>}
      <p role="status" className="sr-only">
        {isTyping
          ? chatText.typing
          : conversation?.messages.at(-1)?.status === 'done'
            ? chatText.answered
            : ''}
      </p>
    </AppPage>
  )
}
