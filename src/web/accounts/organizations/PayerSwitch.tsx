import { useState } from 'react'
import type { OrganizationInfo } from '#contract/users.ts'
import { formatCoins } from '#web/core/format.ts'
import { organizationText as text } from '#web/text/account/organization.ts'
import { Switch } from '#web/ui/form/Switch.tsx'
import { withToast } from '#web/ui/withToast.ts'
import { organizationActions } from './organizationCalls.ts'

/** Chooses the payer of the person's requests: the organization or the person. */
export function PayerSwitch({ organization }: { organization: OrganizationInfo }) {
  const { pays, credit_limit, credit_used } = organization
  const [choice, setChoice] = useState<boolean | null>(null)
  const choose = async (checked: boolean) => {
    setChoice(checked)
    await withToast(() => organizationActions.setPayer(checked ? 'organization' : 'self'))
    setChoice(null)
  }
  return (
    <div className="max-w-xl">
      <Switch
        label={text.payer}
        hint={text.payerHint}
        checked={choice ?? pays}
        onChange={(checked) => void choose(checked)}
      />
      <p className="text-note text-ink2 tabular-nums">
        {text.myLimit}
        {'：'}
        {text.limit(formatCoins(credit_used), credit_limit, formatCoins(credit_limit))}
      </p>
    </div>
  )
}
