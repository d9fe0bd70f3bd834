import { Head } from '@inertiajs/react'
import { MessageSquareOff } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { WIDGET_CLOSE } from '#contract/agents/widget-visitor.ts'
import type { WidgetAgent } from '#contract/agents/widget.ts'
import { useConversations } from '#web/conversations/conversations.ts'
import { widgetText } from '#web/text/agents/widget.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { PassageLinks, type RenderChat } from '../AgentChat.tsx'
import { AgentLogo } from '../AgentLogo.tsx'
import { AgentOpening } from '../AgentOpening.tsx'
import { toChatbot } from '../queries.ts'
import { openVisit } from './visit.ts'

type Props = { agent: WidgetAgent | null; renderChat: RenderChat }

/** A conversation with an agent, inside a frame on another site. */
export function WidgetPage({ agent, renderChat }: Props) {
  useEffect(() => {
    const onKeyDown = ({ key }: KeyboardEvent) => {
      // Escape first closes what covers the conversation. The site learns nothing but that it should close the frame.
      const isCovered = document.querySelector('dialog[open], :popover-open')
      if (key === 'Escape' && !isCovered) parent.postMessage(WIDGET_CLOSE, '*')
    }
    addEventListener('keydown', onKeyDown, { capture: true })
    return () => removeEventListener('keydown', onKeyDown, { capture: true })
  }, [])
  return (
    <main className="flex h-full flex-col bg-panel">
      <Head title={agent?.name ?? widgetText.unavailable} />
      {agent ? <WidgetChat agent={agent} renderChat={renderChat} /> : <Unavailable />}
      <p className="pb-2 text-center text-xs text-ink3 max-md:-mt-2">
        <a
          href="/"
          target="_blank"
          rel="noopener"
          className="inline-block px-2 py-1 hover:text-ink hover:underline"
        >
          {widgetText.provided}
        </a>
      </p>
    </main>
  )
}

const Unavailable = () => (
  <div className="grid flex-1 place-items-center">
    <EmptyState
      page
      icon={<MessageSquareOff size={28} />}
      title={widgetText.unavailable}
      description={widgetText.unavailableHint}
    />
  </div>
)

function WidgetChat({ agent, renderChat }: { agent: WidgetAgent; renderChat: RenderChat }) {
  const { uuid, name, logo, welcome, prompts } = agent
  const [visit] = useState(() => openVisit(uuid))
  /** `key` counts the conversations begun here. */
  const [shownChat, setShownChat] = useState({ key: 0, sess_id: visit.sess_id })
  const startChat = () => {
    visit.keepSession(null)
    setShownChat(({ key }) => ({ key: key + 1, sess_id: null }))
  }
  // The stored conversation has been deleted, because it was kept too long.
  const isGone = useConversations(({ byId }) =>
    Boolean(shownChat.sess_id && byId[shownChat.sess_id]?.loadError?.isGone),
  )
  const onGone = useEffectEvent(startChat)
  useEffect(() => {
    if (isGone) onGone()
  }, [isGone])
  const chat = {
    chatbot: toChatbot(uuid),
    sess_id: shownChat.sess_id,
    heading: (
      <div className="flex min-w-0 items-center gap-2.5 px-2">
        <AgentLogo name={name} logo={logo} size="sm" />
        <h1 className="truncate font-semibold">{name}</h1>
      </div>
    ),
    renderEmpty: (ask: (prompt: string) => void) => (
      <AgentOpening agent={{ name, logo, welcome, prompts }} onChoose={ask} />
    ),
    onSession: visit.keepSession,
    onNew: startChat,
    onFork: visit.keepSession,
  }
  return (
    <section aria-label={widgetText.frame(name)} className="flex min-h-0 flex-1 flex-col pt-1.5">
      <PassageLinks>{renderChat(chat, shownChat.key)}</PassageLinks>
    </section>
  )
}
