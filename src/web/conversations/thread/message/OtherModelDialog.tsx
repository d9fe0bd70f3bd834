import type { ChatModel } from '#contract/models.ts'
import { formatCoins } from '#web/core/format.ts'
import { useUser } from '#web/core/user.ts'
import { messagesText } from '#web/text/messages.ts'
import { modelPickerText } from '#web/text/modelPicker.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { useModelChoice, isUsable } from '#web/conversations/model-picker/model-picker.tsx'

type Props = {
  conversation_id: string
  title?: string
  description?: string
  cheapestFirst?: boolean
  onChoose: (model: string) => void
  onClose: () => void
}

const getPrice = ({ input_price, output_price }: ChatModel): number => input_price + output_price

/** Lists the models that can answer again. */
export default function OtherModelDialog({
  conversation_id,
  title = messagesText.otherModel,
  description = messagesText.otherModelHint,
  cheapestFirst,
  onChoose,
  onClose,
}: Props) {
  const guest = useUser() === null
  const { models } = useModelChoice(guest, conversation_id)
  const choose = (id: string) => {
    onClose()
    onChoose(id)
  }
  return (
    <Dialog open onOpenChange={onClose} title={title} description={description}>
      <ul className="-mx-2 max-h-[50dvh] overflow-y-auto">
        {models
          .filter((model) => isUsable(model, guest))
          .toSorted((a, b) => (cheapestFirst ? getPrice(a) - getPrice(b) : 0))
          .map(({ id, name, desc, input_price, output_price }) => (
            <li key={id}>
              <button
                type="button"
                onClick={() => choose(id)}
                className="w-full rounded-lg px-2 py-2 text-left transition-colors hover:bg-fill max-md:min-h-11"
              >
                <span className="flex items-baseline justify-between gap-3">
                  {name}
                  {cheapestFirst && (
                    <span className="shrink-0 text-xs text-ink2 tabular-nums">
                      {modelPickerText.price(formatCoins(input_price), formatCoins(output_price))}
                    </span>
                  )}
                </span>
                {desc && <span className="block text-xs text-ink3">{desc}</span>}
              </button>
            </li>
          ))}
      </ul>
    </Dialog>
  )
}
