import { clsx } from 'clsx'
import { Check } from 'lucide-react'
import type { ChatModel } from '#contract/models.ts'
import { formatCoins } from '#web/core/format.ts'
import { formatTokenWindow } from '#web/core/numberFormat.ts'
import { modelPickerText } from '#web/text/modelPicker.ts'
import { isUsable } from './usableModels.ts'

type Props = {
  id: string
  model: ChatModel
  guest: boolean
  /** The keyboard is here; `chosen`: it is the model of the conversation. */
  isActive: boolean
  isChosen: boolean
  onHover: () => void
  onChoose: () => void
}

/** What a model asks for a million tokens in and out, after discount. */
function formatPrice({ input_price, output_price }: ChatModel): string {
  return input_price || output_price
    ? modelPickerText.price(formatCoins(input_price), formatCoins(output_price))
    : modelPickerText.free
}

/** Why a model cannot be chosen; empty when it can. */
const getUnavailableReason = (model: ChatModel, guest: boolean): string =>
  isUsable(model, guest) ? '' : modelPickerText.needsSignIn

/** One model of the list: name and what it can do, then what it costs and how much it reads. */
export function ModelOption({ id, model, guest, isActive, isChosen, onHover, onChoose }: Props) {
  const unavailableReason = getUnavailableReason(model, guest)
  const badges = [
    ...(model.local ? [modelPickerText.local] : []),
    ...(model.tags.length
      ? model.tags
      : model.capabilities.map((capability) => modelPickerText.capabilities[capability] ?? capability)),
  ]
  return (
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      aria-disabled={unavailableReason ? true : undefined}
      aria-current={isChosen || undefined}
      onPointerMove={isActive ? undefined : onHover}
      onPointerDown={(event) => event.preventDefault()}
      onClick={unavailableReason ? undefined : onChoose}
      className={clsx(
        'flex items-center gap-2.5 rounded-lg px-2.5 py-1.5 max-md:min-h-11',
        unavailableReason ? 'cursor-default' : 'cursor-pointer',
        isActive && 'bg-fill dark:bg-fill2',
      )}
    >
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <span className={clsx('truncate', unavailableReason && 'text-ink3')}>{model.name}</span>
          {badges.map((badge) => (
            <span key={badge} className="rounded-md border px-1 text-tiny leading-4.5 text-ink2">
              {badge}
            </span>
          ))}
        </span>
        {model.desc && !model.local && <span className="block truncate text-xs text-ink2">{model.desc}</span>}
        <span className="block text-xs text-ink3 tabular-nums">
          {unavailableReason ||
            [
              formatPrice(model),
              modelPickerText.context(formatTokenWindow(model.context_window)),
              guest ? modelPickerText.guest : '',
            ]
              .filter(Boolean)
              .join(' · ')}
        </span>
      </span>
      {isChosen && <Check size={16} aria-hidden className="shrink-0 text-accent" />}
    </div>
  )
}
