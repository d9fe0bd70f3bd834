import { Link, router } from '@inertiajs/react'
import { Ellipsis, Trash2 } from 'lucide-react'
import type { MouseEvent } from 'react'
import type { ChatSession } from '#contract/chat.ts'
import { chatText } from '../text/chat.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { Menu } from '../ui/Menu.tsx'
import { switchTo } from './sessions.ts'

type Props = { session: ChatSession; shown: boolean; onRemove: () => void }

/** One conversation: a link to it, and the menu of what can be done with it. */
export function SessionRow({ session, shown, onRemove }: Props) {
  const title = session.title || chatText.untitled
  const href = `/chat?sess_id=${session.id}`
  const open = (event: MouseEvent) => {
    void switchTo(session.id)
    if (location.pathname !== '/chat' || event.metaKey || event.ctrlKey || event.shiftKey) return
    // On the chat itself only the address changes: nothing has to be asked of the server for that.
    event.preventDefault()
    router.push({ url: href, preserveState: true, preserveScroll: true })
  }
  return (
    <li
      data-shown={shown || undefined}
      className="group relative flex items-center rounded-[10px] transition-colors hover:bg-fill data-[shown]:bg-fill2"
    >
      <Link
        href={href}
        onClick={open}
        aria-current={shown ? 'page' : undefined}
        className="min-w-0 flex-1 truncate rounded-[10px] py-2 pr-10 pl-3 leading-5 max-md:py-3"
      >
        {title}
      </Link>
      <Menu
        placement="bottom-end"
        items={[{ label: chatText.remove, icon: <Trash2 size={16} />, danger: true, onSelect: onRemove }]}
        trigger={(props) => (
          <IconButton
            {...props}
            label={chatText.sessionMenu(title)}
            size="sm"
            className="absolute right-1 opacity-0 group-hover:opacity-100 hover:bg-line2/60! focus-visible:opacity-100 aria-expanded:opacity-100 group-data-[shown]:opacity-100 max-md:right-0 max-md:opacity-100"
          >
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        )}
      />
    </li>
  )
}
