import { GitBranch } from 'lucide-react'
import { useState } from 'react'
import { historyText } from '#web/text/history/history.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { toast } from '#web/ui/toast.ts'
import { forkSession, type Message } from '#web/conversations/conversations.ts'

/** Copies the conversation up to this answer into a new one and opens it. */
export function ForkButton({ message, onFork }: { message: Message; onFork: (sessId: string) => void }) {
  const [pending, setPending] = useState(false)
  const fork = async () => {
    setPending(true)
    const sessId = await forkSession(message.sess_id, message.id)
    setPending(false)
    if (!sessId) return
    toast.success(historyText.forked)
    onFork(sessId)
  }
  return (
    <IconButton label={historyText.fork} size="sm" disabled={pending} onClick={() => void fork()}>
      <GitBranch size={16} aria-hidden />
    </IconButton>
  )
}
