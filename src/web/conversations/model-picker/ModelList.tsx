import { Search } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react'
import type { ChatModel } from '#contract/models.ts'
import { modelPickerText } from '#web/text/modelPicker.ts'
import { isComposing } from '#web/ui/form/enterKey.ts'
import { fieldClass } from '#web/ui/form/Input.tsx'
import { positionPopover } from '#web/ui/popover/popoverPosition.ts'
import { isUsable } from './usableModels.ts'
import { saveDefaultModel } from './defaultModel.ts'
import { ModelOption } from './ModelOption.tsx'
import { filterModels, groupModels } from './modelGroups.ts'

type Props = {
  anchor: RefObject<HTMLElement | null>
  models: readonly ChatModel[]
  /** Ids of the most recently asked models, the latest first. */
  recent: readonly string[]
  current: string | null
  guest: boolean
  /** The model that this person's new conversations begin with; null for guests, who have none. */
  defaultModel: string | null
  /** Called after a model became the default: an earlier choice in this browser must not override it. */
  onDefault: (id: string) => void
  onChoose: (id: string) => void
  onClose: () => void
}

/** Steps of the keys that move through the list. `Home` and `End` move in the field. */
const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 6, PageUp: -6 }

/**
 * Shows the models to choose from in a native popover: a field that filters, and a list that the field's keys move through
 * (WAI-ARIA combobox pattern). Closes on Escape, on a click outside, and when the focus leaves it.
 */
export default function ModelList(props: Props) {
  const { anchor, models, recent, current, guest, defaultModel, onDefault, onChoose, onClose } = props
  const box = useRef<HTMLDivElement>(null)
  const id = useId()
  const [query, setQuery] = useState('')
  const groups = groupModels(filterModels(models, query), recent, guest)
  const shownModels = groups.flatMap((group) => group.models)
  const [wantedId, setWantedId] = useState(current)
  const active =
    shownModels.find((model) => model.id === wantedId) ?? shownModels.find((model) => isUsable(model, guest))
  const canMakeDefault = (model: ChatModel) =>
    defaultModel !== null && model.id !== defaultModel && isUsable(model, guest)
  const makeDefault = (model: ChatModel) => {
    onDefault(model.id)
    void saveDefaultModel(model)
    onChoose(model.id)
  }
  const optionId = (model: ChatModel) => `${id}-${model.id}`

  useLayoutEffect(() => {
    if (!box.current || !anchor.current) return
    box.current.showPopover()
    positionPopover(box.current, anchor.current, 'bottom-start')
    box.current.querySelector('input')?.focus()
  }, [anchor])
  useLayoutEffect(() => {
    box.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active?.id])

  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return
    const step = steps[event.key]
    if (event.key === 'Tab') onClose()
    if (step !== undefined && shownModels.length) {
      event.preventDefault()
      const index = active ? shownModels.indexOf(active) : -1
      const next =
        Math.abs(step) > 1 ? Math.max(0, Math.min(index + step, shownModels.length - 1)) : index + step
      setWantedId(shownModels.at(next % shownModels.length)?.id ?? null)
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      if (!active || !isUsable(active, guest)) return
      if ((event.ctrlKey || event.metaKey) && canMakeDefault(active)) makeDefault(active)
      else onChoose(active.id)
    }
  }

  return (
    <div
      ref={box}
      popover="auto"
      role="dialog"
      aria-label={modelPickerText.title}
      onToggle={(event) => event.newState === 'closed' && onClose()}
      className="motion-rise fixed inset-auto m-0 w-[min(30rem,calc(100vw-1rem))] overflow-hidden rounded-2xl border bg-raised p-0 text-ink shadow-soft"
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
            aria-label={modelPickerText.search}
            placeholder={modelPickerText.searchHint}
            autoComplete="off"
            value={query}
            onChange={(event) => {
              setQuery(event.target.value)
              setWantedId(null)
            }}
            onKeyDown={onKeyDown}
            className={`${fieldClass} h-9 pl-9! max-md:h-11`}
          />
        </div>
        {shownModels.length > 0 ? (
          <div
            id={`${id}-list`}
            role="listbox"
            aria-label={modelPickerText.list}
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
                    isActive={model === active}
                    isChosen={model.id === current}
                    isDefault={model.id === defaultModel}
                    onHover={() => setWantedId(model.id)}
                    onChoose={() => onChoose(model.id)}
                    onMakeDefault={canMakeDefault(model) ? () => makeDefault(model) : undefined}
                  />
                ))}
              </div>
            ))}
          </div>
        ) : (
          <p id={`${id}-list`} className="px-4 py-8 text-center text-ink2">
            {modelPickerText.none}
          </p>
        )}
        <p role="status" className="sr-only">
          {query && modelPickerText.found(shownModels.length)}
        </p>
        <p className="flex shrink-0 justify-between gap-4 border-t px-4 py-2 text-xs text-ink3">
          {modelPickerText.unit}
          {defaultModel !== null && <span className="max-md:hidden">{modelPickerText.defaultKey}</span>}
        </p>
      </div>
    </div>
  )
}
