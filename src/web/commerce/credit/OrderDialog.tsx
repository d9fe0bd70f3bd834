import { CircleCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { CreditOrder, CreditPlan } from '#contract/credit/credit.ts'
import { formatCoins } from '#web/core/format.ts'
import { refreshUser } from '#web/core/user.ts'
import { creditText } from '#web/text/credit/credit.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { withToast } from '#web/ui/withToast.ts'
import { orderCalls, useOrder } from './creditCalls.ts'

const QrCode = lazyComponent(() => import('./QrCode.tsx'))

type Props = {
  order: CreditOrder
  plan: CreditPlan | undefined
  onAgain: () => void
  onClose: () => void
  /** Leads back to where the person came from; null where there is nothing to go back to. */
  onBack: (() => void) | null
}

/** An order from its payment code to its end. Closing the dialog does not cancel the order, which can still be paid. */
export function OrderDialog({ order: createdOrder, plan, onAgain, onClose, onBack }: Props) {
  const { data: order = createdOrder } = useOrder(createdOrder)
  const { status } = order
  const isPaid = status === 'paid'
  useEffect(() => {
    // In every open tab, because one of them may be waiting for the coins.
    if (isPaid) refreshUser()
  }, [isPaid])
  return (
    <Dialog open onOpenChange={onClose} title={creditText.orderTitle(order.name)}>
      <p className="text-2xl font-semibold tabular-nums">{creditText.price(formatCoins(order.price))}</p>
      <div role="status" className="flex flex-col gap-4">
        {status === 'pending' ? (
          <PendingOrder order={order} />
        ) : isPaid ? (
          <p className="flex items-center gap-2 font-medium">
            <CircleCheck size={20} aria-hidden className="text-accent" />
            {describePayment(order, plan)}
          </p>
        ) : (
          <p>{creditText.ended[status]}</p>
        )}
      </div>
      <div className="flex flex-wrap justify-end gap-2">
        {status === 'pending' && <PendingButtons order={order} />}
        {(status === 'expired' || status === 'cancelled') && (
          <Button variant="primary" onClick={onAgain}>
            {creditText.again}
          </Button>
        )}
        {isPaid &&
          (onBack ? (
            <Button variant="primary" onClick={onBack}>
              {creditText.back}
            </Button>
          ) : (
            <Button variant="primary" onClick={onClose}>
              {creditText.done}
            </Button>
          ))}
      </div>
    </Dialog>
  )
}

function describePayment({ coins }: CreditOrder, plan: CreditPlan | undefined): string {
  const parts = [
    ...(plan?.level_name ? [creditText.paidLevel(plan.level_name)] : []),
    ...(coins > 0 ? [creditText.paidCoins(formatCoins(coins))] : []),
  ]
  return parts.join('，') || creditText.paid
}

function PendingOrder({ order }: { order: CreditOrder }) {
  const { sandbox, pay_type, code_url } = order
  return (
    <>
      <p className="text-ink2">{sandbox ? creditText.sandboxScan : creditText.scan[pay_type]}</p>
      <div className="flex justify-center">
        {code_url ? <QrCode text={code_url} label={creditText.code} /> : <Skeleton className="size-52" />}
      </div>
      <p className="text-center text-note text-ink2 tabular-nums">
        {creditText.waiting}
        <TimeLeft until={order.expires_at} />
      </p>
    </>
  )
}

/** Hidden from screen readers, since it changes every second. */
function TimeLeft({ until }: { until: string }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.ceil((Date.parse(until) - now) / 1000))
  return (
    <span aria-hidden className="ml-2">
      {creditText.left(Math.floor(seconds / 60), String(seconds % 60).padStart(2, '0'))}
    </span>
  )
}

function PendingButtons({ order }: { order: CreditOrder }) {
  const [pending, setPending] = useState(false)
  const run = async (act: () => Promise<unknown>) => {
    setPending(true)
    await withToast(act, {})
    setPending(false)
  }
  return (
    <>
      <Button variant="ghost" pending={pending} onClick={() => void run(() => orderCalls.cancel(order))}>
        {creditText.cancel}
      </Button>
      {order.sandbox && (
        <Button
          variant="primary"
          pending={pending}
          onClick={() => void run(() => orderCalls.paySandbox(order))}
        >
          {creditText.sandboxPay}
        </Button>
      )}
    </>
  )
}
