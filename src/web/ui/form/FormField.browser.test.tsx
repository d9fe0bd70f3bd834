import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { FormField } from './FormField.tsx'

const Example = ({ error }: { error?: string }) => (
  <FormField label="邮箱" hint="验证码会发到这里" error={error}>
    {(field) => <input {...field} />}
  </FormField>
)

test('a field is described by its hint, and by its error in place of it', async () => {
  const { rerender } = await render(<Example />)
  const field = page.getByLabelText('邮箱')
  await expect.element(field).toHaveAccessibleDescription('验证码会发到这里')
  await expect.element(field).toBeValid()
  await rerender(<Example error="邮箱格式不正确" />)
  await expect.element(field).toHaveAccessibleDescription('邮箱格式不正确')
  await expect.element(field).toBeInvalid()
})
