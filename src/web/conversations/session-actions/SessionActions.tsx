import { Download, Share2 } from 'lucide-react'
import { useState } from 'react'
import { createPortal } from 'react-dom'
import { useCommands } from '#web/conversations/commands/commands.ts'
import { ExportFiles } from '#web/conversations/export/export.ts'
import { ShareDialog } from '#web/conversations/shares/shares.ts'
import { chatText } from '#web/text/chat.ts'
import { exportText } from '#web/text/export.ts'
import { HeaderActions, type HeaderAction } from '#web/ui/layout/HeaderActions.tsx'
import type { MenuItem } from '#web/ui/Menu.tsx'

export type Props = {
  sess_id: string
  /** Further downloads of the conversation. */
  moreFiles?: readonly MenuItem[]
  before?: readonly HeaderAction[]
  after?: readonly HeaderAction[]
}

/** Shares and exports a conversation that has messages, in the top bar, between the other actions. */
export default function SessionActions({ sess_id, moreFiles = [], before = [], after = [] }: Props) {
  const [isSharing, setIsSharing] = useState(false)
  const openShare = () => setIsSharing(true)
  useCommands({ share: openShare })
  const share = { label: chatText.share, icon: Share2, onSelect: openShare }
  return (
    <>
      <ExportFiles
        sess_id={sess_id}
        render={(formats) => {
          const files = { label: exportText.menu, icon: Download, items: [...formats, ...moreFiles] }
          return <HeaderActions actions={[...before, share, ...(formats.length ? [files] : []), ...after]} />
        }}
      />
      {/* Out of the top bar: a dialog is no part of the page's banner. */}
      {isSharing &&
        createPortal(<ShareDialog sess_id={sess_id} onClose={() => setIsSharing(false)} />, document.body)}
    </>
  )
}
