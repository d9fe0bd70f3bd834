import { useState } from 'react'
import type { UserInfo } from '#contract/users.ts'
import { settingText } from '#web/text/setting.ts'
import { FormField } from '#web/ui/form/FormField.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { makeDefault } from './makeDefault.ts'
import { useModelCards } from './queries.ts'

/** Shows the model that new conversations begin with, and saves a choice at once. */
export function DefaultModelSetting({ user }: { user: UserInfo }) {
  const [pending, setPending] = useState<string | null>(null)
  const { data } = useModelCards()
  const models = (data?.models ?? []).filter(({ type, available }) => type === 'chat' && available)
  const chosenId = pending ?? user.model
  const choose = async (id: string) => {
    const model = models.find((one) => one.id === id)
    if (!model) return
    setPending(id)
    await makeDefault(model)
    setPending(null)
  }
  return (
    <FormField label={settingText.defaultModel} hint={settingText.defaultModelHint}>
      {(field) => (
        <Select {...field} value={chosenId} onChange={({ target }) => void choose(target.value)}>
          {!models.some(({ id }) => id === chosenId) && <option value={chosenId}>{chosenId}</option>}
          {models.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </FormField>
  )
}
