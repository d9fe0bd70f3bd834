import { Search } from 'lucide-react'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { shortcutsText } from '../text/shortcuts.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { isComposing, sends } from '../ui/enterKey.ts'
import { useGroups, type Entry } from './entries.tsx'
import { KeySigns } from './KeySigns.tsx'
import { keepRecent } from './recent.ts'

/** One field that finds conversations, models, pages and everything that can be done (WAI-ARIA combobox pattern). */
export default function Palette({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [modelsOnly, setModelsOnly] = useState(false)
  const close = () => {
    setModelsOnly(false)
    onClose()
  }
  const title = modelsOnly ? shortcutsText.models : shortcutsText.palette
  return (
    <Dialog kind="palette" open={open} onOpenChange={close} title={title}>
      <Finder key={title} modelsOnly={modelsOnly} onModels={setModelsOnly} onClose={close} />
    </Dialog>
  )
}

type Props = { modelsOnly: boolean; onModels: (only: boolean) => void; onClose: () => void }

function Finder({ modelsOnly, onModels, onClose }: Props) {
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  const id = useId()
  const groups = useGroups(query, modelsOnly)
  const entries = groups.flatMap((group) => group.entries)
  const at = Math.min(chosen, entries.length - 1)
  const optionId = (entry: Entry) => `${id}-${entries.indexOf(entry)}`
  const current = entries[at]

  useEffect(() => field.current?.focus(), [])
  useEffect(() => {
    if (current) document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' })
  }, [at, current?.id])

  const choose = (entry: Entry) => {
    keepRecent(entry.id)
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
    if (!step && !sends(nativeEvent)) return
    event.preventDefault()
    if (step) setChosen((at + step + entries.length) % Math.max(entries.length, 1))
    else if (current) choose(current)
  }

  return (
    <>
      <div className="flex items-center gap-2.5 border-b px-4">
        <Search size={17} aria-hidden className="shrink-0 text-ink3" />
        <input
          ref={field}
          role="combobox"
          aria-label={modelsOnly ? shortcutsText.modelsHint : shortcutsText.paletteHint}
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={current && optionId(current)}
          placeholder={modelsOnly ? shortcutsText.modelsHint : shortcutsText.paletteHint}
          autoComplete="off"
          spellCheck={false}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value)
            setChosen(0)
          }}
          onKeyDown={onKeyDown}
          className="h-13 min-w-0 flex-1 bg-transparent text-[15px] outline-none max-md:text-base"
        />
      </div>
      <p role="status" className="sr-only">
        {entries.length ? shortcutsText.found(entries.length) : shortcutsText.nothing}
      </p>
      {!entries.length && (
        <p aria-hidden className="px-5 py-6 text-ink2">
          {shortcutsText.nothing}
        </p>
      )}
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={shortcutsText.results}
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
                chosen={entry === current}
                onPoint={() => setChosen(entries.indexOf(entry))}
                onChoose={() => choose(entry)}
              />
            ))}
          </div>
        ))}
      </div>
    </>
  )
}

type OptionProps = { id: string; entry: Entry; chosen: boolean; onPoint: () => void; onChoose: () => void }

function Option({ id, entry, chosen, onPoint, onChoose }: OptionProps) {
  return (
    <div
      id={id}
      role="option"
      aria-selected={chosen}
      onPointerMove={onPoint}
      onClick={onChoose}
      className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-lg px-2.5 aria-selected:bg-fill dark:aria-selected:bg-fill2 max-md:min-h-11"
    >
      <span aria-hidden className="shrink-0 text-ink2">
        {entry.icon}
      </span>
      <span className="min-w-0 flex-1 truncate">{entry.label}</span>
      {entry.keys && (
        <span aria-hidden className="max-md:hidden">
          <KeySigns keys={entry.keys} />
        </span>
      )}
    </div>
  )
}
