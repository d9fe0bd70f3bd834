import { X } from 'lucide-react'
import { dismissSignInEnd } from '#web/core/shownUser.ts'
import { useUser } from '#web/core/user.ts'
import { shellText } from '#web/text/shell.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { SignInLink } from '#web/ui/SignInGate.tsx'

/** Tells that the person is no longer signed in. Written texts are kept; guests may dismiss this. */
export default function SignInEndAlert() {
  const isGuest = useUser() === null
  return (
    <div
      role="alert"
      className="mx-2 mb-2 flex items-center gap-3 rounded-xl border border-danger/25 bg-danger-soft py-1.5 pr-1.5 pl-3.5 text-sm md:mx-4 print:hidden"
    >
      <p className="min-w-0 flex-1">{shellText.signInEnded}</p>
      <SignInLink variant="primary" size="sm" />
      {isGuest && (
        <IconButton size="sm" label={shellText.dismissSignInEnd} onClick={dismissSignInEnd}>
          <X size={15} aria-hidden />
        </IconButton>
      )}
    </div>
  )
}
