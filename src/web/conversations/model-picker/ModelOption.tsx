import { clsx } from 'clsx'
import { Check, Star } from 'lucide-react'
import type { ChatModel } from '#contract/models.ts'
import { formatTokenWindow } from '#web/core/numberFormat.ts'
import { MakerFace } from '#web/ui/makers/makers.tsx'
import { modelPickerText } from '#web/text/modelPicker.ts'
import { isUsable } from './usableModels.ts'

type Props = {
  id: string
  model: ChatModel
  guest: boolean
  /** The keyboard is at this option; `isChosen`: it is the model of the conversation. */
  isActive: boolean
  isChosen: boolean
  /** New conversations begin with it. */
  isDefault: boolean
  onHover: () => void
  onChoose: () => void
  /** Absent for guests, who have no default. */
  onMakeDefault: (() => void) | undefined
}

const COINS_PER_YUAN = 100
const formatYuan = (coins: number): string =>
  (coins / COINS_PER_YUAN).toLocaleString('zh-CN', { maximumFractionDigits: 4 })

/** Formats the prices in yuan of a million input and output tokens, after discount. */
const formatPrice = ({ input_price, output_price }: ChatModel): string =>
  input_price || output_price
    ? modelPickerText.price(formatYuan(input_price), formatYuan(output_price))
    : modelPickerText.free

/** Returns why a model cannot be chosen; empty when it can. */
const getUnavailableReason = (model: ChatModel, guest: boolean): string =>
  isUsable(model, guest) ? '' : modelPickerText.needsSignIn

/** Shows one model of the list: maker, name and use, then price and context length. */
export function ModelOption(props: Props) {
  const { id, model, guest, isActive, isChosen, isDefault, onHover, onChoose, onMakeDefault } = props
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
        'flex items-start gap-3 rounded-xl px-2.5 py-2 max-md:min-h-11',
        unavailableReason ? 'cursor-default' : 'cursor-pointer',
        isActive && 'bg-fill dark:bg-fill2',
      )}
    >
      <span className="mt-0.5">
        <MakerFace maker={model.vendor || model.platform} size={30} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <span className={clsx('truncate font-medium', unavailableReason && 'text-ink3')}>{model.name}</span>
          {badges.map((badge) => (
            <span key={badge} className="text-tiny leading-4.5 text-accent">
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
      {isDefault ? (
        <span className="mt-0.5 shrink-0 rounded-md bg-accent-soft px-1.5 text-tiny leading-5 text-accent">
          {modelPickerText.isDefault}
        </span>
      ) : (
        onMakeDefault && (
          // For the mouse and for touch, which does not hover; the keyboard has a key for it.
          <span
            aria-hidden
            data-tooltip={modelPickerText.makeDefault}
            onClick={(event) => {
              event.stopPropagation()
              onMakeDefault()
            }}
            className={clsx(
              'size-6 shrink-0 place-items-center rounded-md text-ink3 hover:bg-panel hover:text-accent pointer-coarse:size-10',
              isActive ? 'grid' : 'hidden pointer-coarse:grid',
            )}
          >
            <Star size={15} />
          </span>
        )
      )}
      {isChosen && <Check size={16} aria-hidden className="mt-1 shrink-0 text-accent" />}
    </div>
  )
}
