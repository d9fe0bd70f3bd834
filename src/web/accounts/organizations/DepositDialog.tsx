import type { UserInfo } from '#contract/users.ts'
import { formatCoins } from '#web/core/format.ts'
import { useForm } from '#web/core/useForm.ts'
import { organizationText as text } from '#web/text/account/organization.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { TextField } from '#web/ui/form/fields.tsx'
import { toast } from '#web/ui/toast.ts'
import { isAmount } from './amount.ts'
import { organizationActions } from './organizationCalls.ts'

type Props = { id: string; user: UserInfo; open: boolean; onOpenChange: (open: boolean) => void }

/** Moves coins from the owner's balance to the organization. */
export function DepositDialog({ user: { balance, gift_balance }, ...props }: Props) {
  const hint = text.depositHint(formatCoins(balance - gift_balance))
  const gift = gift_balance > 0 ? text.depositGift(formatCoins(gift_balance)) : ''
  return (
    <Dialog {...props} title={text.depositTitle} description={hint + gift}>
      <DepositForm {...props} />
    </Dialog>
  )
}

function DepositForm({ id, onOpenChange }: Omit<Props, 'user'>) {
  const form = useForm({ coins: '' })
  const onSubmit = form.handleSubmit(({ coins }) => organizationActions.deposit(id, Number(coins)), {
    validate: ({ coins }) => (isAmount(coins) && Number(coins) > 0 ? {} : { coins: text.amountError }),
    onSuccess() {
      toast.success(text.deposited)
      onOpenChange(false)
    },
    onError: (errors) => errors.form && toast.error(errors.form),
  })
  return (
    <form noValidate onSubmit={onSubmit} className="flex flex-col gap-4">
      <TextField form={form} name="coins" label={text.amount} inputMode="decimal" />
      <Button type="submit" variant="primary" pending={form.processing} className="self-end">
        {text.deposit}
      </Button>
    </form>
  )
}
