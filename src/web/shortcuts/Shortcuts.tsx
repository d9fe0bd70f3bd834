import { router } from '@inertiajs/react'
import { useEffect, useState } from 'react'
import { lazyPart } from '../ui/lazyPart.tsx'
import { runCommand, useCommands } from './handlers.ts'
import { apple } from './KeySigns.tsx'
import { commandOf, type Where } from './shortcuts.ts'
import { openNeighbour } from './visits.ts'

type Opened = { open: boolean; onClose: () => void }

const close = ({ open, onClose }: Opened) => open && onClose
const Palette = lazyPart(() => import('./Palette.tsx'), { close })
const HelpSheet = lazyPart(() => import('./HelpSheet.tsx'), { close })

function whereIs(target: EventTarget | null): Where {
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement) {
    return target.value ? 'text' : 'empty'
  }
  return target instanceof HTMLElement && (target.isContentEditable || target instanceof HTMLSelectElement)
    ? 'text'
    : 'page'
}

/** A menu or a dialog has the keyboard for itself. */
const busy = () => document.querySelector('dialog[open], [popover="auto"]:popover-open') !== null

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.repeat) return
  const command = commandOf(event, whereIs(event.target), apple)
  if (!command) return
  if (busy() && !(command === 'palette' && document.querySelector('dialog[data-kind=palette]'))) return
  if (runCommand(command)) event.preventDefault()
}

/** The keyboard's way to commands, and what two of them open. */
export default function Shortcuts() {
  const [open, setOpen] = useState<'palette' | 'help' | null>(null)
  // They stay mounted once they were open: a closing dialog gives the focus back.
  const [opened, setOpened] = useState({ palette: false, help: false })
  const onClose = () => setOpen(null)
  useEffect(() => {
    if (open) setOpened((before) => ({ ...before, [open]: true }))
  }, [open])
  useCommands({
    palette: () => setOpen((now) => (now === 'palette' ? null : 'palette')),
    help: () => setOpen('help'),
    newChat: () => router.visit('/chat'),
    previousSession: () => openNeighbour(-1),
    nextSession: () => openNeighbour(1),
  })
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <>
      {opened.palette && <Palette open={open === 'palette'} onClose={onClose} />}
      {opened.help && <HelpSheet open={open === 'help'} onClose={onClose} />}
    </>
  )
}
