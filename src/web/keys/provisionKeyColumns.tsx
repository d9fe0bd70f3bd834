import type { ProvisionKey } from '#contract/keys.ts'
import { keyGroups } from '#contract/key-groups.ts'
import { formatCoins } from '#web/core/format.ts'
import { keysText, provisionText } from '#web/text/keys.ts'
import type { Column } from '#web/ui/Table.tsx'
import { formatLastUsed } from './apiKeyColumns.tsx'
import { KeyName, KeyStatus } from './KeyName.tsx'

/** The caps of a provision key in words; 不限 without any. */
function formatCaps(key: ProvisionKey): string {
  const groups = keyGroups.filter(({ name }) => key.allowed_groups?.includes(name))
  const parts = [
    key.max_credit_limit > 0 && provisionText.capCredit(formatCoins(key.max_credit_limit)),
    key.max_days !== null && provisionText.capDays(key.max_days),
    groups.map(({ alias }) => alias).join('、'),
    key.allowed_models && provisionText.capModels(key.allowed_models.length),
  ]
  return parts.filter(Boolean).join('，') || keysText.unlimited
}

export const provisionKeyColumns: Column<ProvisionKey>[] = [
  { key: 'name', title: keysText.name, cell: (key) => <KeyName name={key.name} value={key.value} /> },
  {
    key: 'status',
    title: keysText.status,
    cell: ({ status }) => <KeyStatus state={status ? 'on' : 'off'} />,
  },
  {
    key: 'keys',
    title: provisionText.keys,
    align: 'right',
    className: 'whitespace-nowrap',
    cell: ({ keys, max_keys }) => provisionText.keysOf(keys, max_keys),
  },
  { key: 'caps', title: provisionText.capsColumn, cell: formatCaps },
  {
    key: 'last_used_at',
    title: keysText.last_used_at,
    className: 'whitespace-nowrap',
    cell: ({ last_used_at }) => formatLastUsed(last_used_at),
  },
]
