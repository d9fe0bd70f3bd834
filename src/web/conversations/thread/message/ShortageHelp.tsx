import { useState } from 'react'
import { formatCoins } from '#web/core/format.ts'
import { formatCount } from '#web/core/numberFormat.ts'
import { chatText } from '#web/text/chat.ts'
import { messagesText } from '#web/text/messages.ts'
import { Button } from '#web/ui/Button.tsx'
import { RechargeLink } from '#web/ui/RechargeLink.tsx'
import type { Message } from '#web/conversations/conversations.ts'
import type { MessageActions } from './messageActions.ts'
import OtherModelDialog from './OtherModelDialog.tsx'

type Props = { message: Message; actions: MessageActions }

/** Explains under a question how many coins it needs and why, and how to go on. */
export default function ShortageHelp({ message, actions }: Props) {
  const [isChoosing, setIsChoosing] = useState(false)
  const { shortage, key } = message
  if (!shortage) return null
  const { needed, available, input_tokens } = shortage
  return (
    <div className="basis-full">
      <p className="text-ink2 tabular-nums">
        {messagesText.shortage(formatCoins(needed), formatCoins(available), formatCount(input_tokens))}
      </p>
      <div className="mt-2.5 flex flex-wrap gap-2">
        <RechargeLink
          id={key}
          neededCoins={needed}
          onAffordable={() => actions.regenerate(message)}
          variant="primary"
          size="sm"
        >
          {messagesText.recharge}
        </RechargeLink>
        {actions.canChooseModel && (
          <Button size="sm" onClick={() => setIsChoosing(true)}>
            {messagesText.cheaperModel}
          </Button>
        )}
        <Button size="sm" onClick={() => actions.moveToNewChat(message)}>
          {messagesText.withoutHistory}
        </Button>
        <Button size="sm" onClick={() => actions.regenerate(message)}>
          {chatText.resend}
        </Button>
      </div>
      {isChoosing && (
        <OtherModelDialog
          conversation_id={message.sess_id}
          title={messagesText.cheaperModel}
          description={messagesText.cheaperModelHint}
          cheapestFirst
          onChoose={(model) => actions.regenerate(message, model)}
          onClose={() => setIsChoosing(false)}
        />
      )}
    </div>
  )
}
