import { router } from '@inertiajs/react'
import type { MouseEvent } from 'react'
import { switchSession } from './sessions.ts'

/** A click on a link to a conversation. On the chat itself only the address changes: nothing is asked of the server for it. */
export function onSessionLinkClick(event: MouseEvent, sess_id: string, href: string): void {
  void switchSession(sess_id)
  if (location.pathname !== '/chat' || event.metaKey || event.ctrlKey || event.shiftKey) return
  event.preventDefault()
  router.push({ url: href, preserveState: true, preserveScroll: true })
}
