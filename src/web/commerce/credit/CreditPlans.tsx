import { router } from '@inertiajs/react'
import { useState } from 'react'
import type { CreditOrder, CreditPlan, PayType } from '#contract/credit/credit.ts'
import { formatCoins, formatDateTime } from '#web/core/format.ts'
import { usePageUrl } from '#web/core/page.ts'
import { useUser } from '#web/core/user.ts'
import { creditText } from '#web/text/credit/credit.ts'
import { Button } from '#web/ui/Button.tsx'
import { ChoiceChips } from '#web/ui/form/ChoiceChips.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { SignInLink } from '#web/ui/SignInGate.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { withToast } from '#web/ui/withToast.ts'
import { orderCalls, useCreditPlans } from './creditCalls.ts'
import { OrderDialog } from './OrderDialog.tsx'
import { PlanCard } from './PlanCard.tsx'
import { parseNeeded, parseReturnPath } from './returnTo.ts'

type Plans = NonNullable<ReturnType<typeof useCreditPlans>['data']>

/** The plans by kind, and the choice of a payment method. */
export function CreditPlans() {
  const query = useCreditPlans()
  const { searchParams } = usePageUrl()
  const neededCoins = parseNeeded(searchParams)
  return (
    <div className="flex max-w-4xl flex-col gap-5">
      <div className="flex flex-col gap-1 text-ink2">
        <p>{neededCoins ? creditText.needed(formatCoins(neededCoins)) : creditText.intro}</p>
        <Holdings />
      </div>
      <QueryView query={query} failed={creditText.failed} skeleton={<Skeleton className="h-72" />}>
        {(plans) => <PlanPicker {...plans} back={parseReturnPath(searchParams)} />}
      </QueryView>
    </div>
  )
}

/** The person's balance and membership. */
function Holdings() {
  const user = useUser()
  if (!user) return null
  const { balance, level_name, level_ends_at } = user
  return (
    <p className="text-note tabular-nums">
      {creditText.balance(formatCoins(balance))} ·{' '}
      {level_ends_at
        ? creditText.levelUntil(level_name, formatDateTime(level_ends_at).slice(0, 10))
        : creditText.level(level_name)}
    </p>
  )
}

function PlanPicker({ plans, type, pay_type, pay_types, back }: Plans & { back: string | null }) {
  const user = useUser()
  const [shownType, setShownType] = useState<CreditPlan['type']>(type)
  const [chosenId, setChosenId] = useState<string | null>(null)
  const [payType, setPayType] = useState<PayType>(pay_type)
  const [order, setOrder] = useState<CreditOrder | null>(null)
  const [pending, setPending] = useState(false)
  const shownPlans = plans.filter((plan) => plan.type === shownType)
  const chosenPlan = shownPlans.find(({ id }) => id === chosenId) ?? shownPlans[0]
  const types = (['recharge', 'membership'] as const).filter((one) => plans.some((plan) => plan.type === one))
  const buy = async () => {
    if (!chosenPlan) return
    setPending(true)
    const createdOrder = await withToast(() => orderCalls.create(chosenPlan.id, payType), {})
    setPending(false)
    if (createdOrder) setOrder(createdOrder)
  }
  return (
    <>
      {types.length > 1 && (
        <ChoiceChips
          label={creditText.type}
          choices={types.map((value) => ({ value, label: creditText.types[value] }))}
          chosen={shownType}
          onChoose={setShownType}
        />
      )}
      <div role="radiogroup" aria-label={creditText.plans} className="grid grid-cols-2 gap-3 md:grid-cols-3">
        {shownPlans.map((plan) => (
          <PlanCard
            key={plan.id}
            plan={plan}
            isChosen={plan === chosenPlan}
            onChoose={() => setChosenId(plan.id)}
          />
        ))}
      </div>
      {shownType === 'membership' && <p className="text-note text-ink2">{creditText.membershipHint}</p>}
      {!pay_types.length && <p className="text-ink2">{creditText.unavailable}</p>}
      {pay_types.length > 1 && (
        <ChoiceChips
          label={creditText.payType}
          choices={pay_types.map((value) => ({ value, label: creditText.payTypes[value] }))}
          chosen={payType}
          onChoose={setPayType}
        />
      )}
      {user ? (
        <Button
          variant="primary"
          size="lg"
          className="self-start max-md:w-full"
          disabled={!chosenPlan || !pay_types.length}
          pending={pending}
          onClick={() => void buy()}
        >
          {creditText.buy}
        </Button>
      ) : (
        <SignInLink variant="primary" size="lg" className="self-start">
          {creditText.signIn}
        </SignInLink>
      )}
      {order && (
        <OrderDialog
          key={order.id}
          order={order}
          plan={plans.find(({ id }) => id === order.plan_id)}
          onAgain={() => void buy()}
          onClose={() => setOrder(null)}
          onBack={back ? () => router.visit(back) : null}
        />
      )}
    </>
  )
}
