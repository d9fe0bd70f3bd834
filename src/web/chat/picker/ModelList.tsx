import { Search } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react'
import type { ChatModel } from '#contract/models.ts'
import { pickerText } from '../../text/picker.ts'
import { isComposing } from '../../ui/enterKey.ts'
import { fieldClass } from '../../ui/Input.tsx'
import { placeBeside } from '../../ui/place.ts'
import { recentModels } from '../models.ts'
import { usable } from '../usable.ts'
import { ModelOption } from './ModelOption.tsx'
import { foundModels, groupModels } from './order.ts'

type Props = {
  anchor: RefObject<HTMLElement | null>
  models: readonly ChatModel[]
  current: string | null
  guest: boolean
  onChoose: (id: string) => void
  onClose: () => void
}

/** Steps of the keys that move through the list; `Home` and `End` belong to the field. */
const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 6, PageUp: -6 }

/**
 * The models to choose from, on the browser's own popover: a field that filters, and a list that is moved through from it
 * (WAI-ARIA combobox pattern). Closes on Escape, on a click outside, and when the focus leaves it.
 */
export default function ModelList({ anchor, models, current, guest, onChoose, onClose }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const id = useId()
  const [q, setQ] = useState('')
  const [recent] = useState(recentModels)
  const groups = groupModels(foundModels(models, q), recent, guest)
  const shown = groups.flatMap((group) => group.models)
  const [wanted, setWanted] = useState(current)
  const active = shown.find((model) => model.id === wanted) ?? shown.find((model) => usable(model, guest))
  const optionId = (model: ChatModel) => `${id}-${model.id}`

  useLayoutEffect(() => {
    if (!box.current || !anchor.current) return
    box.current.showPopover()
    placeBeside(box.current, anchor.current, 'bottom-start')
    box.current.querySelector('input')?.focus()
  }, [])
  useLayoutEffect(() => {
    box.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active?.id])

  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return
    const step = steps[event.key]
    if (event.key === 'Tab') onClose()
    if (step !== undefined && shown.length) {
      event.preventDefault()
      const at = active ? shown.indexOf(active) : -1
      const next = Math.abs(step) > 1 ? Math.max(0, Math.min(at + step, shown.length - 1)) : at + step
      setWanted(shown.at(next % shown.length)?.id ?? null)
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      if (active && usable(active, guest)) onChoose(active.id)
    }
  }

  return (
    <div
      ref={box}
      popover="auto"
      role="dialog"
      aria-label={pickerText.title}
      onToggle={(event) => event.newState === 'closed' && onClose()}
      className="motion-rise fixed inset-auto m-0 w-[min(27rem,calc(100vw-1rem))] overflow-hidden rounded-xl border bg-raised p-0 text-ink shadow-soft"
    >
      {/* The list fits below the top bar, which the box is placed under. */}
      <div className="flex max-h-[min(34rem,calc(100dvh-4.5rem))] flex-col">
        <div className="relative shrink-0 p-2">
          <Search
            size={16}
            aria-hidden
            className="pointer-events-none absolute top-1/2 left-5 -translate-y-1/2 text-ink3"
          />
          <input
            role="combobox"
            aria-expanded
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={active ? optionId(active) : undefined}
            aria-label={pickerText.search}
            placeholder={pickerText.searchHint}
            autoComplete="off"
            value={q}
            onChange={(event) => {
              setQ(event.target.value)
              setWanted(null)
            }}
            onKeyDown={onKeyDown}
            className={`${fieldClass} h-9 pl-9! max-md:h-11`}
          />
        </div>
        {shown.length > 0 ? (
          <div
            id={`${id}-list`}
            role="listbox"
            aria-label={pickerText.list}
            className="min-h-0 overflow-y-auto overscroll-contain px-1.5 pb-1.5"
          >
            {groups.map((group) => (
              <div key={group.name} role="group" aria-label={group.name}>
                <div aria-hidden className="px-2.5 pt-2 pb-1 text-xs text-ink3">
                  {group.name}
                </div>
                {group.models.map((model) => (
                  <ModelOption
                    key={model.id}
                    id={optionId(model)}
                    model={model}
                    guest={guest}
                    active={model === active}
                    chosen={model.id === current}
                    onPoint={() => setWanted(model.id)}
                    onChoose={() => onChoose(model.id)}
                  />
                ))}
              </div>
            ))}
          </div>
        ) : (
          <p id={`${id}-list`} className="px-4 py-8 text-center text-ink2">
            {pickerText.none}
          </p>
        )}
        <p role="status" className="sr-only">
          {q && pickerText.found(shown.length)}
        </p>
        <p className="shrink-0 border-t px-4 py-2 text-xs text-ink3">{pickerText.unit}</p>
      </div>
    </div>
  )
}
