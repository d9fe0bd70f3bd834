import { router } from '@inertiajs/react'
import type { MouseEvent } from 'react'
import { switchTo } from './sessions.ts'

/** A click on a link to a conversation. On the chat itself only the address changes: nothing is asked of the server for it. */
export function openInChat(event: MouseEvent, sess_id: string, href: string): void {
  void switchTo(sess_id)
  if (location.pathname !== '/chat' || event.metaKey || event.ctrlKey || event.shiftKey) return
  event.preventDefault()
  router.push({ url: href, preserveState: true, preserveScroll: true })
}
