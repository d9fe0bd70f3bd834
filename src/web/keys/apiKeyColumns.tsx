import type { ApiKey } from '#contract/keys.ts'
import { formatCoins, formatDateTime } from '../core/format.ts'
import { keysText } from '../text/keys.ts'
import type { Column } from '../ui/Table.tsx'
import { KeyName, KeyStatus } from './KeyName.tsx'
import { getLastDay } from './keyFields.ts'

const getKeyState = ({ status, expired, credit_limit, credit_used }: ApiKey) => {
  if (!status) return 'off'
  if (expired) return 'expired'
  return credit_limit > 0 && credit_used >= credit_limit ? 'spent' : 'on'
}

/** To the minute, in the reader's time zone. */
export const formatLastUsed = (at: string | null): string =>
  at ? formatDateTime(at).slice(0, 16) : keysText.unused

export const apiKeyColumns: Column<ApiKey>[] = [
  { key: 'name', title: keysText.name, cell: (key) => <KeyName name={key.name} value={key.value} /> },
  { key: 'status', title: keysText.status, cell: (key) => <KeyStatus state={getKeyState(key)} /> },
  {
    key: 'credit',
    title: keysText.credit,
    align: 'right',
    className: 'whitespace-nowrap',
    cell: ({ credit_used, credit_limit }) =>
      `${formatCoins(credit_used)} / ${credit_limit > 0 ? formatCoins(credit_limit) : keysText.unlimited}`,
  },
  { key: 'group', title: keysText.group, className: 'whitespace-nowrap', cell: ({ group }) => group.alias },
  {
    key: 'expired_at',
    title: keysText.expired_at,
    className: 'whitespace-nowrap',
    cell: ({ expired_at }) => getLastDay(expired_at) || keysText.never,
  },
  {
    key: 'last_used_at',
    title: keysText.last_used_at,
    className: 'whitespace-nowrap',
    cell: ({ last_used_at }) => formatLastUsed(last_used_at),
  },
]
