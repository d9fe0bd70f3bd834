import { Head, Link } from '@inertiajs/react'
import { SignInForm, WechatButton } from '#web/accounts/auth/auth.ts'
import { useConfig, usePageUrl } from '#web/core/page.ts'
import { authText } from '#web/text/auth.ts'
import { shellText } from '#web/text/shell.ts'
import { Logo } from '#web/ui/Logo.tsx'
import { Water } from '#web/ui/water/Water.tsx'

export default function AuthLogin() {
  const { environment, sign_in } = useConfig()
  const { searchParams } = usePageUrl()
  const redirectTo = searchParams.get('redirect_to')
  return (
    <main className="relative grid min-h-dvh place-items-center overflow-hidden px-4 py-10">
      <Head title={authText.title} />
      <Water arrives className="inset-0 h-full w-full" />
      <div className="relative w-full max-w-104">
        <Link
          href="/"
          className="mx-auto mb-6 flex h-11 w-fit items-center gap-2.5 rounded-lg px-2 font-display text-lg font-semibold tracking-[0.18em]"
        >
          <Logo />
          {shellText.brand}
        </Link>
        <section className="rounded-2xl border bg-panel p-6 shadow-soft md:p-8">
          <h1 className="font-display text-2xl font-semibold">{authText.welcome}</h1>
          <p className="mt-1.5 mb-6 text-ink2">{authText.lead}</p>
          {searchParams.has('wechat') && (
            <p role="alert" className="mb-4 text-note text-danger">
              {searchParams.get('wechat') === 'limited' ? authText.wechatLimited : authText.wechatFailed}
            </p>
          )}
          <SignInForm redirect_to={redirectTo} />
          {sign_in.wechat && <WechatButton redirect_to={redirectTo} />}
        </section>
        <p className="mt-5 flex flex-col items-center gap-1 text-note text-ink2">
          <Link
            href="/chat"
            className="flex min-h-8 items-center rounded px-2 hover:text-ink max-md:min-h-11"
          >
            {authText.guest}
          </Link>
          {environment === 'development' && (
            <Link
              href="/dev/outbox"
              className="flex min-h-8 items-center rounded px-2 hover:text-ink max-md:min-h-11"
            >
              {authText.outbox}
            </Link>
          )}
        </p>
      </div>
    </main>
  )
}
