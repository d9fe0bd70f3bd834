import { router } from '@inertiajs/react'
import { clsx } from 'clsx'
import { useRef } from 'react'
import { ChatHeader } from '../chat/ChatHeader.tsx'
import { Composer, type ComposerHandle } from '../chat/Composer.tsx'
import { isDraft, reload } from '../chat/conversation.ts'
import { NEW_CHAT } from '../chat/drafts.ts'
import { Examples, Greeting } from '../chat/Greeting.tsx'
import { useModels } from '../chat/models.ts'
import { useWebSearch } from '../chat/search/useWebSearch.ts'
import { NotLoaded } from '../chat/NotLoaded.tsx'
import { ThreadSkeleton } from '../chat/ThreadSkeleton.tsx'
import { useConversation } from '../chat/useConversation.ts'
import { useTurnActions } from '../chat/useTurnActions.ts'
import { useConfig, usePageUrl } from '../core/page.ts'
import { useUser } from '../core/user.ts'
import { Shell } from '../shell/Shell.tsx'
import { chatText } from '../text/chat.ts'
import { lazyPart } from '../ui/lazyPart.tsx'

// Loaded at once, but the greeting and the composer do not wait for it.
const Thread = lazyPart(() => import('../chat/Thread.tsx'), { now: true, fallback: () => <ThreadSkeleton /> })
const ChatCommands = lazyPart(() => import('../chat/ChatCommands.tsx'), { quiet: true })
const Voice = lazyPart(() => import('../voice/Voice.tsx'), { quiet: true })

const column = 'mx-auto w-full max-w-[51rem] px-4 md:px-6'

/** The address becomes the session's; the page stays as it is. Not if the person has gone on meanwhile. */
function showSession(sess_id: string): void {
  const here = new URL(location.href)
  if (here.pathname !== '/chat' || here.searchParams.has('sess_id')) return
  here.searchParams.set('sess_id', sess_id)
  here.searchParams.delete('model')
  router.replace({ url: here.pathname + here.search, preserveState: true, preserveScroll: true })
}

/** The chat with the general assistant. `?sess_id=` names the session; without it a new one begins. */
export default function Chat() {
  const user = useUser()
  const { searchParams } = usePageUrl()
  const { id, shown, typing } = useConversation(searchParams.get('sess_id'), searchParams.get('message'))
  const choice = useModels(user === null, id)
  const { web_search, read_aloud } = useConfig()
  const searching = useWebSearch() && web_search
  const composer = useRef<ComposerHandle>(null)
  const actions = useTurnActions({
    id,
    model: choice.model?.id ?? '',
    searching,
    composer,
    onSession: showSession,
  })
  const empty = shown ? !shown.turns.length && !shown.loading && !shown.failed : isDraft(id)

  const messages = () => {
    if (shown?.failed) return <NotLoaded failed={shown.failed} onRetry={() => void reload(id)} />
    if (!shown || shown.loading === 'first') return <ThreadSkeleton />
    return <Thread key={shown.key} id={id} conversation={shown} actions={actions} />
  }

  return (
    <Shell
      title={chatText.title}
      header={<ChatHeader id={id} shown={shown} choice={choice} onSession={showSession} />}
    >
      {/* The composer keeps its place among these children, so that it keeps its text and focus. */}
      <div className={clsx('flex min-h-0 flex-1 flex-col', empty && 'overflow-y-auto')}>
        {empty ? (
          <div className={`${column} mt-auto pb-6 max-md:pb-5`}>
            <Greeting name={user?.name ?? null} />
          </div>
        ) : (
          messages()
        )}
        <div className={clsx(column, empty && 'max-md:order-3 max-md:pb-4')}>
          <ChatCommands {...{ id, shown, typing, composer, actions }} />
          {user && read_aloud && <Voice shown={shown} />}
          <Composer
            ref={composer}
            place={isDraft(id) ? NEW_CHAT : id}
            conversation={shown?.key ?? id}
            typing={typing}
            onSend={actions.ask}
            onStop={actions.stop}
          />
        </div>
        {empty ? (
          <div className={`${column} mb-auto pt-6 pb-10 max-md:order-2 max-md:mb-0 max-md:py-0 max-md:pb-4`}>
            <Examples onChoose={(prompt) => composer.current?.fill(prompt)} />
          </div>
        ) : (
          <p className="py-2 text-center text-xs text-ink3">{chatText.disclaimer}</p>
        )}
      </div>
      {!empty && <h1 className="sr-only">{chatText.title}</h1>}
      <p role="status" className="sr-only">
        {typing ? chatText.typing : shown?.turns.at(-1)?.status === 'done' ? chatText.answered : ''}
      </p>
    </Shell>
  )
}
