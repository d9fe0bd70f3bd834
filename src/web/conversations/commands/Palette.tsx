import { Search } from 'lucide-react'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { commandsText } from '#web/text/commands.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { isComposing, isSubmitKey } from '#web/ui/form/enterKey.ts'
import { usePaletteGroups, type PaletteEntry } from './paletteEntries.tsx'
import { KeyCaps } from './KeyCaps.tsx'
import { addRecentEntry } from './recentEntries.ts'

/** One field that finds conversations, models, pages and commands (WAI-ARIA combobox pattern). */
export default function Palette({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [modelsOnly, setModelsOnly] = useState(false)
  const close = () => {
    setModelsOnly(false)
    onClose()
  }
  const title = modelsOnly ? commandsText.models : commandsText.palette
  return (
    <Dialog kind="palette" open={open} onOpenChange={close} title={title}>
      <PaletteSearch key={title} modelsOnly={modelsOnly} onModels={setModelsOnly} onClose={close} />
    </Dialog>
  )
}

type Props = { modelsOnly: boolean; onModels: (only: boolean) => void; onClose: () => void }

function PaletteSearch({ modelsOnly, onModels, onClose }: Props) {
  const [query, setQuery] = useState('')
  const [activeIndex, setActiveIndex] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  const id = useId()
  const groups = usePaletteGroups(query, modelsOnly)
  const entries = groups.flatMap((group) => group.entries)
  const index = Math.min(activeIndex, entries.length - 1)
  const optionId = (entry: PaletteEntry) => `${id}-${entries.indexOf(entry)}`
  const current = entries[index]
  const currentId = current?.id

  useEffect(() => field.current?.focus(), [])
  useEffect(() => {
    if (currentId) document.getElementById(`${id}-${index}`)?.scrollIntoView({ block: 'nearest' })
  }, [index, currentId, id])

  const choose = (entry: PaletteEntry) => {
    addRecentEntry(entry.id)
    if (entry.id === 'models') return onModels(true)
    onClose()
    // The dialog gives the focus back first, so that a command may move it on.
    setTimeout(entry.run)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { nativeEvent, key } = event
    if (isComposing(nativeEvent)) return
    if (key === 'Backspace' && !query && modelsOnly) return onModels(false)
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
    if (!step && !isSubmitKey(nativeEvent)) return
    event.preventDefault()
    if (step) setActiveIndex((index + step + entries.length) % Math.max(entries.length, 1))
    else if (current) choose(current)
  }

  return (
    <>
      <div className="flex items-center gap-2.5 border-b px-4">
        <Search size={17} aria-hidden className="shrink-0 text-ink3" />
        <input
          ref={field}
          role="combobox"
          aria-label={modelsOnly ? commandsText.modelsHint : commandsText.paletteHint}
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={current && optionId(current)}
          placeholder={modelsOnly ? commandsText.modelsHint : commandsText.paletteHint}
          autoComplete="off"
          spellCheck={false}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value)
            setActiveIndex(0)
          }}
          onKeyDown={onKeyDown}
          className="h-13 min-w-0 flex-1 bg-transparent text-reading outline-none max-md:text-base"
        />
      </div>
      <p role="status" className="sr-only">
        {entries.length ? commandsText.found(entries.length) : commandsText.nothing}
      </p>
      {!entries.length && (
        <p aria-hidden className="px-5 py-6 text-ink2">
          {commandsText.nothing}
        </p>
      )}
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={commandsText.results}
        tabIndex={-1}
        className="max-h-[min(24rem,calc(76dvh-3.5rem))] overflow-y-auto p-1.5 empty:hidden"
      >
        {groups.map(({ title, entries: some }) => (
          <div key={title} role="group" aria-label={title}>
            <div aria-hidden className="px-2.5 pt-2 pb-1 text-xs text-ink3">
              {title}
            </div>
            {some.map((entry) => (
              <Option
                key={entry.id}
                id={optionId(entry)}
                entry={entry}
                isActive={entry === current}
                onHover={() => setActiveIndex(entries.indexOf(entry))}
                onChoose={() => choose(entry)}
              />
            ))}
          </div>
        ))}
      </div>
    </>
  )
}

type OptionProps = {
  id: string
  entry: PaletteEntry
  isActive: boolean
  onHover: () => void
  onChoose: () => void
}

function Option({ id, entry, isActive, onHover, onChoose }: OptionProps) {
  return (
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      onPointerMove={onHover}
      onClick={onChoose}
      className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-lg px-2.5 aria-selected:bg-fill dark:aria-selected:bg-fill2 max-md:min-h-11"
    >
      <span aria-hidden className="shrink-0 text-ink2">
        {entry.icon}
      </span>
      <span className="min-w-0 flex-1 truncate">{entry.label}</span>
      {entry.keys && (
        <span aria-hidden className="max-md:hidden">
          <KeyCaps keys={entry.keys} />
        </span>
      )}
    </div>
  )
}
