import { Link } from '@inertiajs/react'
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import type { UserInfo } from '#contract/users.ts'
import { getLoginUrl } from '#web/core/loginUrl.ts'
import { usePageUrl } from '#web/core/page.ts'
import { useUser } from '#web/core/user.ts'
import { uiText } from '#web/text/ui.ts'
import { buttonClass } from './Button.tsx'
import { EmptyState } from './EmptyState.tsx'

type LinkProps = Parameters<typeof buttonClass>[0] & {
  className?: string
  title?: string
  onClick?: () => void
  /** Target after signing in; this page by default. */
  to?: string
  children?: ReactNode
}

/** Links to the sign-in page and back. */
export function SignInLink({
  to,
  variant,
  size,
  className = '',
  children = uiText.signIn,
  ...rest
}: LinkProps) {
  const url = usePageUrl()
  return (
    <Link
      {...rest}
      href={getLoginUrl(to ? new URL(to, url) : url)}
      className={clsx(buttonClass({ variant, size }), className)}
    >
      {children}
    </Link>
  )
}

type GateProps = {
  icon?: ReactNode
  title: string
  description?: string
  children: (user: UserInfo) => ReactNode
}

/** Shows content to signed-in users, and to others the benefit of signing in. */
export function SignInGate({ icon, title, description, children }: GateProps) {
  const user = useUser()
  if (user) return children(user)
  return <EmptyState {...{ icon, title, description }} action={<SignInLink variant="primary" />} />
}

type MissingProps = {
  icon: ReactNode
  title: string
  description?: string
  /** Tells guests what signing in may show. */
  signInHint: string
  /** An action that leads on. */
  action: ReactNode
}

/** Stands in place of something missing. A guest is asked to sign in, since it may exist for its owner. */
export function MissingState({ icon, title, description, signInHint, action }: MissingProps) {
  if (useUser() !== null) return <EmptyState {...{ icon, title, description, action }} />
  return (
    <EmptyState
      icon={icon}
      title={uiText.signInToSee}
      description={signInHint}
      action={
        <div className="flex gap-2">
          <SignInLink variant="primary" />
          {action}
        </div>
      }
    />
  )
}
