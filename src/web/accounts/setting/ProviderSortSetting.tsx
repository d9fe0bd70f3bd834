import { useState } from 'react'
import type { ProviderSort, UserInfo } from '#contract/users.ts'
import { clearUserOn401 } from '#web/core/clearUserOn401.ts'
import { request } from '#web/core/api.ts'
import { queryClient } from '#web/core/queryClient.ts'
import { userQueryKey } from '#web/core/user.ts'
import { settingText } from '#web/text/setting.ts'
import { FormField } from '#web/ui/form/FormField.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { withToast } from '#web/ui/withToast.ts'

const sorts = Object.entries(settingText.providerSorts) as [ProviderSort, string][]

/** Chooses which of a model's platforms is asked first, and saves the choice at once. */
export function ProviderSortSetting({ user }: { user: UserInfo }) {
  const [sort, setSort] = useState(user.provider_sort)
  const save = async (next: ProviderSort) => {
    setSort(next)
    const options = { failed: settingText.saveFailed }
    const run = () =>
      clearUserOn401(request('PUT /api/user/provider_sort', { body: { sort: next } }, options))
    const response = await withToast(run, { done: settingText.saved })
    setSort(response?.provider_sort ?? sort)
    await queryClient.invalidateQueries({ queryKey: userQueryKey })
  }
  return (
    <FormField label={settingText.providerSort} hint={settingText.providerSortHint}>
      {(field) => (
        <Select {...field} value={sort} onChange={({ target }) => void save(target.value as ProviderSort)}>
          {sorts.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      )}
    </FormField>
  )
}
