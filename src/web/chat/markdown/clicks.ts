import type { MouseEvent } from 'react'
import { copyText } from '../../ui/copyText.ts'

/** The buttons inside rendered markdown: copy a code block, load a remote image. */
export function onMarkdownClick(event: MouseEvent<HTMLElement>): void {
  const target = event.target instanceof Element ? event.target.closest<HTMLButtonElement>('button') : null
  if (!target) return
  if (target.className === 'md-copy') {
    const code = target.closest('.md-code')?.querySelector('code')?.textContent
    if (code) void copyText(code)
  }
  if (target.className === 'md-image') showImage(target)
}

function showImage(button: HTMLButtonElement): void {
  const src = button.dataset.src ?? ''
  if (!/^https?:\/\//i.test(src)) return
  const image = document.createElement('img')
  image.referrerPolicy = 'no-referrer'
  image.alt = button.dataset.alt ?? ''
  image.src = src
  button.replaceWith(image)
}
