import { Head, Link } from '@inertiajs/react'
import { useState } from 'react'
import { logout } from '#web/shell/logout.ts'
import { shellText } from '#web/text/shell.ts'
import { logoutText as text } from '#web/text/site/logout.ts'
import { Button } from '#web/ui/Button.tsx'
import { Logo } from '#web/ui/Logo.tsx'
import { Water } from '#web/ui/water/Water.tsx'

/** Asks for a confirmation of signing out, since the server cannot tell who led the person here. */
export default function AuthLogout() {
  const [pending, setPending] = useState(false)
  const onLogout = async () => {
    setPending(true)
    await logout()
    setPending(false)
  }
  return (
    <main className="relative grid min-h-dvh place-items-center overflow-hidden px-6 py-10 text-center">
      <Head title={shellText.logout} />
      <Water className="inset-0 h-full w-full" />
      <div className="relative flex max-w-sm flex-col items-center">
        <Logo size={48} />
        <h1 className="mt-6 font-display text-title-sm leading-snug font-semibold">{text.title}</h1>
        <p className="mt-2 text-ink2">{text.hint}</p>
        <Button variant="primary" className="mt-6" pending={pending} onClick={() => void onLogout()}>
          {shellText.logout}
        </Button>
        <Link
          href="/"
          className="mt-3 flex min-h-8 items-center rounded px-2 text-note text-ink2 hover:text-ink max-md:min-h-11"
        >
          {text.stay}
        </Link>
      </div>
    </main>
  )
}
