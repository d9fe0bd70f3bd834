import { clsx } from 'clsx'
import { Check } from 'lucide-react'
import type { ChatModel } from '#contract/models.ts'
import { coins } from '../../core/format.ts'
import { windowSize } from '../../models/figures.ts'
import { pickerText } from '../../text/picker.ts'
import { usable } from '../usable.ts'

type Props = {
  id: string
  model: ChatModel
  guest: boolean
  /** The keyboard is here; `chosen`: it is the model of the conversation. */
  active: boolean
  chosen: boolean
  onPoint: () => void
  onChoose: () => void
}

/** What a model asks for a million tokens in and out, after discount. */
function priceOf({ input_price, output_price }: ChatModel): string {
  return input_price || output_price
    ? pickerText.price(coins(input_price), coins(output_price))
    : pickerText.free
}

/** Why a model cannot be chosen; empty when it can. */
function obstacle(model: ChatModel, guest: boolean): string {
  if (usable(model, guest)) return ''
  return model.available ? pickerText.needsSignIn : pickerText.unavailable
}

/** One model of the list: name and what it can do, then what it costs and how much it reads. */
export function ModelOption({ id, model, guest, active, chosen, onPoint, onChoose }: Props) {
  const why = obstacle(model, guest)
  const badges = [
    ...(model.local ? [pickerText.local] : []),
    ...model.capabilities.map((capability) => pickerText.capabilities[capability] ?? capability),
  ]
  return (
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={active}
      aria-disabled={why ? true : undefined}
      aria-current={chosen || undefined}
      onPointerMove={active ? undefined : onPoint}
      onPointerDown={(event) => event.preventDefault()}
      onClick={why ? undefined : onChoose}
      className={clsx(
        'flex items-center gap-2.5 rounded-lg px-2.5 py-1.5 max-md:min-h-11',
        why ? 'cursor-default' : 'cursor-pointer',
        active && 'bg-fill dark:bg-fill2',
      )}
    >
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <span className={clsx('truncate', why && 'text-ink3')}>{model.name}</span>
          {badges.map((badge) => (
            <span key={badge} className="rounded-md border px-1 text-[11px] leading-4.5 text-ink2">
              {badge}
            </span>
          ))}
        </span>
        <span className="block text-xs text-ink3 tabular-nums">
          {why ||
            [
              priceOf(model),
              pickerText.context(windowSize(model.context_window)),
              guest ? pickerText.guest : '',
            ]
              .filter(Boolean)
              .join(' · ')}
        </span>
      </span>
      {chosen && <Check size={16} aria-hidden className="shrink-0 text-accent" />}
    </div>
  )
}
