import { router } from '@inertiajs/react'
import type { InfiniteData } from '@tanstack/react-query'
import type { MouseEvent } from 'react'
import type { ChatSession } from '#contract/chat.ts'
import { sessionsKey } from './tabSync.ts'
import { switchSession } from './sessions.ts'
import { queryClient } from '#web/core/queryClient.ts'

/** The address of a conversation: on its agent's page, the comparison, the translation or the general chat. */
export function getSessionUrl({ id, chatbot }: Pick<ChatSession, 'id' | 'chatbot'>): string {
  if (chatbot.startsWith('compare')) return `/compare?sess_id=${id}`
  if (chatbot === 'fanyi') return `/fanyi?sess_id=${id}`
  const [, agent] = /^zhiku-(.+)$/.exec(chatbot) ?? []
  return `/chat${agent ? `/agent/${agent}` : ''}?sess_id=${id}`
}

/** Opens a conversation, at a message if one is given. */
export function openSession(id: string, messageId?: string): void {
  void switchSession(id)
  const url = `/chat?sess_id=${id}${messageId ? `&message=${messageId}` : ''}`
  // Within the chat only the address changes, so nothing is requested from the server.
  if (location.pathname === '/chat') router.push({ url, preserveState: true, preserveScroll: true })
  else router.visit(url)
}

/** Opens the neighbour, in the list, of the shown conversation; without one, the first of the list. */
export function openAdjacentSession(step: 1 | -1): void {
  const currentId = new URLSearchParams(location.search).get('sess_id')
  const isCurrent = ({ id }: ChatSession) => id === currentId
  const lists = queryClient
    .getQueriesData<InfiniteData<{ items: ChatSession[] }>>({
      queryKey: sessionsKey,
      predicate: ({ queryKey: [, , of] }) => !of || Object.hasOwn(of, 'folder_id'),
    })
    .map(([, list]) => list?.pages.flatMap(({ items }) => items) ?? [])
  // Inside a folder, only conversations of that folder count as neighbours.
  const sessions = lists.find((list) => list.some(isCurrent)) ?? lists[0] ?? []
  const at = sessions.findIndex(isCurrent)
  const next = at < 0 ? sessions[0] : sessions[at + step]
  if (next) openSession(next.id)
}

/** Handles a click on a link to a conversation like `openSession`. */
export function onSessionLinkClick(event: MouseEvent, sessId: string, href: string): void {
  void switchSession(sessId)
  const isSamePage = new URL(href, location.origin).pathname === location.pathname
  if (!isSamePage || event.metaKey || event.ctrlKey || event.shiftKey) return
  event.preventDefault()
  router.push({ url: href, preserveState: true, preserveScroll: true })
}
