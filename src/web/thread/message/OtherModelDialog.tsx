import { useUser } from '#web/core/user.ts'
import { messagesText } from '#web/text/messages.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { useModelChoice, isUsable } from '#web/model-picker/model-picker.tsx'

type Props = { conversation_id: string; onChoose: (model: string) => void; onClose: () => void }

/** The models that can answer once more. */
export default function OtherModelDialog({ conversation_id, onChoose, onClose }: Props) {
  const guest = useUser() === null
  const { models } = useModelChoice(guest, conversation_id)
  const choose = (id: string) => {
    onClose()
    onChoose(id)
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={messagesText.otherModel}
      description={messagesText.otherModelHint}
    >
      <ul className="-mx-2 max-h-[50dvh] overflow-y-auto">
        {models
          .filter((model) => isUsable(model, guest))
          .map(({ id, name, desc }) => (
            <li key={id}>
              <button
                type="button"
                onClick={() => choose(id)}
                className="w-full rounded-lg px-2 py-2 text-left transition-colors hover:bg-fill max-md:min-h-11"
              >
                <span className="block">{name}</span>
                {desc && <span className="block text-xs text-ink3">{desc}</span>}
              </button>
            </li>
          ))}
      </ul>
    </Dialog>
  )
}
