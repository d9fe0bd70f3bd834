import type { Form } from '#web/core/useForm.ts'
import { uiText } from '#web/text/ui.ts'
import { Button } from '../Button.tsx'

type Props = {
  form: Pick<Form<object>, 'isDirty' | 'processing'>
  /** Default: 保存. */
  label?: string
  /** Required input is missing. */
  disabled?: boolean
  className?: string
}

/** Submits a form; enabled while the form differs from its saved state. */
export const SaveButton = ({ form, label = uiText.save, disabled, className }: Props) => (
  <Button
    type="submit"
    variant="primary"
    pending={form.processing}
    disabled={!form.isDirty || disabled}
    className={className}
  >
    {label}
  </Button>
)
