import { Link } from '@inertiajs/react'
import { CircleAlert, RotateCcw } from 'lucide-react'
import { use } from 'react'
import { formatCoins } from '#web/core/format.ts'
import { getLoginUrl } from '#web/core/loginUrl.ts'
import { usePageUrl } from '#web/core/page.ts'
import type { Message } from '#web/conversations/conversations.ts'
import { chatText } from '#web/text/chat.ts'
import { compareText } from '#web/text/compare/compare.ts'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { RechargeLink } from '#web/ui/RechargeLink.tsx'
import { ColumnActionsContext } from './columnActions.ts'

type Props = { question: Message; answer: Message; model: string }

/** The server's reason why an answer is missing or incomplete, with the actions left. */
export function AnswerFailure({ question, answer, model }: Props) {
  const { redo, resend, discard } = use(ColumnActionsContext)
  const url = usePageUrl()
  const { error, shortage, sign_in } = answer
  // The server refused the whole question and stored nothing.
  const isRefused = question.local
  return (
    <div className="mt-3 rounded-xl border border-danger/25 bg-danger-soft px-3.5 py-2.5 text-note leading-6">
      <p className="flex gap-2 wrap-anywhere">
        <CircleAlert size={16} aria-hidden className="mt-1 shrink-0 text-danger" />
        {error ?? compareText.failed}
      </p>
      {shortage && (
        <p className="mt-1 text-ink2 tabular-nums">
          {compareText.shortage(formatCoins(shortage.needed), formatCoins(shortage.available))}
        </p>
      )}
      <div className="mt-2 flex flex-wrap gap-2">
        {sign_in && (
          <Link href={getLoginUrl(url)} className={buttonClass({ variant: 'primary', size: 'sm' })}>
            {chatText.signIn}
          </Link>
        )}
        {!sign_in && (
          <Button size="sm" onClick={() => (isRefused ? resend(question) : redo(model, question))}>
            <RotateCcw size={14} aria-hidden />
            {isRefused ? compareText.resend : compareText.redo}
          </Button>
        )}
        {isRefused && (
          <Button size="sm" variant="ghost" onClick={() => discard(question)}>
            {compareText.discard}
          </Button>
        )}
        {shortage && (
          <RechargeLink
            id={answer.key}
            neededCoins={shortage.needed}
            onAffordable={() => (isRefused ? resend(question) : redo(model, question))}
            size="sm"
          >
            {compareText.recharge}
          </RechargeLink>
        )}
      </div>
    </div>
  )
}
