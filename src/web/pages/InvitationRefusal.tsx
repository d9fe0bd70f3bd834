import { Head, Link } from '@inertiajs/react'
import { useState } from 'react'
import type { PageProps } from '#contract/pages.ts'
import { request } from '#web/core/api.ts'
import { shellText } from '#web/text/shell.ts'
import { invitationRefusalText as text } from '#web/text/site/invitationRefusal.ts'
import { Button } from '#web/ui/Button.tsx'
import { Logo } from '#web/ui/Logo.tsx'
import { Water } from '#web/ui/water/Water.tsx'
import { withToast } from '#web/ui/withToast.ts'

/** Lets the recipient of an invitation mail refuse further ones, or allow them again. */
export default function InvitationRefusal({ token, refused }: PageProps<'InvitationRefusal'>) {
  const [isRefused, setIsRefused] = useState(refused)
  const [pending, setPending] = useState(false)
  const save = async (refuses: boolean) => {
    const key = `${refuses ? 'POST' : 'DELETE'} /invitations/refusal/{token}` as const
    setPending(true)
    const isDone = await withToast(
      async () => {
        await request(key, { params: { token } }, { failed: text.failed })
        return true
      },
      refuses ? {} : { done: text.allowed },
    )
    setPending(false)
    if (isDone) setIsRefused(refuses)
  }
  return (
    <main className="relative grid min-h-dvh place-items-center overflow-hidden px-4 py-10">
      <Head title={text.title} />
      <Water className="inset-0 h-full w-full" />
      <div className="relative w-full max-w-104">
        <Link
          href="/"
          className="mx-auto mb-6 flex h-11 w-fit items-center gap-2.5 rounded-lg px-2 font-display text-lg font-semibold tracking-[0.18em]"
        >
          <Logo />
          {shellText.brand}
        </Link>
        <section aria-live="polite" className="rounded-2xl border bg-panel p-6 shadow-soft md:p-8">
          <h1 className="text-xl font-semibold">{isRefused ? text.refused : text.ask}</h1>
          <p className="mt-1.5 mb-6 text-ink2">{isRefused ? text.refusedHint : text.askHint}</p>
          <Button
            variant={isRefused ? 'secondary' : 'primary'}
            pending={pending}
            onClick={() => void save(!isRefused)}
            className="w-full"
          >
            {isRefused ? text.allow : text.refuse}
          </Button>
        </section>
        <p className="mt-5 flex justify-center text-note text-ink2">
          <Link href="/" className="flex min-h-8 items-center rounded px-2 hover:text-ink max-md:min-h-11">
            {text.home}
          </Link>
        </p>
      </div>
    </main>
  )
}
