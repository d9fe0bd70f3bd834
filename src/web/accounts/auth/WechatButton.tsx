import { useState } from 'react'
import { authText } from '#web/text/auth.ts'
import { Button } from '#web/ui/Button.tsx'
import { withToast } from '#web/ui/withToast.ts'
import { visitWechat } from './signIn.ts'

/** Leads to WeChat's page with the code to scan, and from there back to where the person was going. */
export function WechatButton({ redirect_to }: { redirect_to: string | null }) {
  const [pending, setPending] = useState(false)
  const onClick = async () => {
    setPending(true)
    await withToast(() => visitWechat(redirect_to ? { redirect_to } : {}))
    setPending(false)
  }
  return (
    <>
      <p className="my-4 flex items-center gap-3 text-note text-ink3 before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {authText.or}
      </p>
      <Button size="lg" pending={pending} onClick={() => void onClick()} className="w-full">
        {authText.wechat}
      </Button>
    </>
  )
}
