import { router } from '@inertiajs/react'
import { useEffect, useState } from 'react'
import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'
import { runCommand, useCommands } from './commandRegistry.ts'
import { isApple } from './KeyCaps.tsx'
import { findCommand, type FocusContext } from './shortcuts.ts'
import { openAdjacentSession } from '#web/conversations/conversations.ts'

type OverlayProps = { open: boolean; onClose: () => void }

const getOnClose = ({ open, onClose }: OverlayProps) => open && onClose
const Palette = lazyComponent(() => import('./Palette.tsx'), { getOnClose })
const HelpSheet = lazyComponent(() => import('./ShortcutHelp.tsx'), { getOnClose })

function getFocusContext(target: EventTarget | null): FocusContext {
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement) {
    return target.value ? 'text' : 'empty'
  }
  return target instanceof HTMLElement && (target.isContentEditable || target instanceof HTMLSelectElement)
    ? 'text'
    : 'page'
}

/** A menu or a dialog has the keyboard for itself. */
const isOverlayOpen = () => document.querySelector('dialog[open], [popover="auto"]:popover-open') !== null

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.repeat) return
  const command = findCommand(event, getFocusContext(event.target), isApple)
  if (!command) return
  if (isOverlayOpen() && !(command === 'palette' && document.querySelector('dialog[data-kind=palette]')))
    return
  if (runCommand(command)) event.preventDefault()
}

/** Runs commands by keyboard, and shows the palette and the list of shortcuts. */
export default function CommandLayer() {
  const [open, setOpen] = useState<'palette' | 'help' | null>(null)
  // Both stay mounted once they were open: a closing dialog gives the focus back.
  const [wasOpened, setWasOpened] = useState({ palette: false, help: false })
  const onClose = () => setOpen(null)
  useEffect(() => {
    if (open) setWasOpened((before) => ({ ...before, [open]: true }))
  }, [open])
  useCommands({
    palette: () => setOpen((now) => (now === 'palette' ? null : 'palette')),
    help: () => setOpen('help'),
    newChat: () => router.visit('/chat'),
    previousSession: () => openAdjacentSession(-1),
    nextSession: () => openAdjacentSession(1),
  })
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <>
      {wasOpened.palette && <Palette open={open === 'palette'} onClose={onClose} />}
      {wasOpened.help && <HelpSheet open={open === 'help'} onClose={onClose} />}
    </>
  )
}
