import type { NotifySetting } from '#contract/credit/credit.ts'
import { useForm } from '#web/core/useForm.ts'
import { creditText as text } from '#web/text/credit/credit.ts'
import { TextField } from '#web/ui/form/fields.tsx'
import { SaveButton } from '#web/ui/form/SaveButton.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { toast } from '#web/ui/toast.ts'
import { saveNotifySetting, useNotifySetting } from './creditCalls.ts'

/** Switch and threshold, in coins, of the low-balance warning. */
export function NotifySetting() {
  const query = useNotifySetting()
  return (
    <section className="mt-8 max-w-xl">
      <h2 className="text-base font-semibold">{text.notify}</h2>
      <p className="mt-1.5 text-ink2">{text.notifyHint}</p>
      <QueryView query={query} failed={text.notifyFailed} skeleton={<Skeleton className="mt-5 h-10 w-64" />}>
        {(setting) => <NotifySettingForm initial={setting} />}
      </QueryView>
    </section>
  )
}

function NotifySettingForm({ initial }: { initial: NotifySetting }) {
  const form = useForm({ enabled: initial.enabled, threshold: String(initial.threshold) })
  const onSubmit = form.handleSubmit(
    ({ enabled, threshold }) => saveNotifySetting({ enabled, threshold: Number(threshold) }),
    {
      validate: ({ threshold }) => (isThreshold(threshold) ? {} : { threshold: text.thresholdError }),
      onSuccess({ enabled, threshold }) {
        form.reset({ enabled, threshold: String(threshold) })
        toast.success(text.notifySaved)
      },
      onError: (errors) => errors.form && toast.error(errors.form),
    },
  )
  return (
    <form noValidate onSubmit={onSubmit} className="mt-4 flex flex-col gap-4">
      <label className="flex items-center gap-2.5 max-md:min-h-11">
        <input
          type="checkbox"
          role="switch"
          checked={form.data.enabled}
          onChange={({ target }) => form.setData({ enabled: target.checked })}
          className="size-4 accent-(--accent)"
        />
        {text.notifyEnabled}
      </label>
      <div className="max-w-60">
        <TextField form={form} name="threshold" label={text.threshold} inputMode="decimal" />
      </div>
      <SaveButton form={form} className="self-start" />
    </form>
  )
}

const isThreshold = (value: string): boolean =>
  /^\d{1,7}(\.\d{1,2})?$/.test(value.trim()) && Number(value) <= 1_000_000
