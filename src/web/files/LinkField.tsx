import { useState, type FormEvent } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { Input } from '#web/ui/form/Input.tsx'

type Props = {
  label: string
  placeholder: string
  /** Label of the button. */
  action: string
  /** Resolves with true when the page was added, which clears the field. */
  onAdd: (url: string) => Promise<boolean>
}

/** Completes a typed address; one without a scheme gets https. */
const toLinkUrl = (typed: string): string =>
  /^[a-z]+:\/\//i.test(typed.trim()) ? typed.trim() : `https://${typed.trim()}`

export function LinkField({ label, placeholder, action, onAdd }: Props) {
  const [url, setUrl] = useState('')
  const [pending, setPending] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setPending(true)
    if (await onAdd(toLinkUrl(url))) setUrl('')
    setPending(false)
  }
  return (
    <form onSubmit={(event) => void submit(event)} className="flex min-w-60 flex-1 items-center gap-2">
      <Input
        aria-label={label}
        value={url}
        onChange={({ target }) => setUrl(target.value)}
        placeholder={placeholder}
        inputMode="url"
        autoComplete="off"
        className="min-w-0 flex-1"
      />
      <Button type="submit" className="h-10!" pending={pending} disabled={!url.trim()}>
        {action}
      </Button>
    </form>
  )
}
