import { Link } from '@inertiajs/react'
import { useState } from 'react'
import type { ModelCard } from '#contract/models.ts'
import { chooseModel } from '#web/conversations/model-picker/model-picker.tsx'
import { useUser } from '#web/core/user.ts'
import { modelsText } from '#web/text/models.ts'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { SignInLink } from '#web/ui/SignInGate.tsx'
import { makeDefault } from './makeDefault.ts'

/** Shows the actions for a model: try it, make it the default, calculate its cost. */
export function ModelActions({ card }: { card: ModelCard }) {
  const user = useUser()
  const canChat = card.type === 'chat' && card.available
  const chatUrl = `/chat?${new URLSearchParams({ model: card.id })}`
  const canTry = user !== null || card.guest
  return (
    <div className="flex flex-wrap gap-2">
      {canChat && canTry && (
        <Link
          href={chatUrl}
          onClick={() => chooseModel(card.id)}
          className={buttonClass({ variant: 'primary' })}
        >
          {modelsText.tryIt}
        </Link>
      )}
      {canChat && !canTry && (
        <SignInLink to={chatUrl} variant="primary" onClick={() => chooseModel(card.id)}>
          {modelsText.tryAfterLogin}
        </SignInLink>
      )}
      {canChat && user && <MakeDefault card={card} current={user.model === card.id} />}
      <Link href={`/calculator?${new URLSearchParams({ models: card.id })}`} className={buttonClass()}>
        {modelsText.calculate}
      </Link>
    </div>
  )
}

function MakeDefault({ card, current }: { card: ModelCard; current: boolean }) {
  const [pending, setPending] = useState(false)
  const choose = async () => {
    setPending(true)
    await makeDefault(card)
    setPending(false)
  }
  return (
    <Button disabled={current} pending={pending} onClick={() => void choose()}>
      {current ? modelsText.isDefault : modelsText.makeDefault}
    </Button>
  )
}
