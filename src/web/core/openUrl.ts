import { router } from '@inertiajs/react'
import type { MouseEvent as ReactMouseEvent } from 'react'

/** Follows a link within the product; on the page that it leads to, only the address changes. */
export function openOwnUrl(event: MouseEvent | ReactMouseEvent, url: string): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return
  event.preventDefault()
  const { pathname } = new URL(url, location.origin)
  if (pathname === location.pathname) router.push({ url, preserveState: true, preserveScroll: true })
  else router.visit(url)
}
