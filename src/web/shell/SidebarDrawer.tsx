import { shellText } from '#web/text/shell.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Sidebar } from './Sidebar.tsx'

/** The sidebar on phones. */
export default function SidebarDrawer({
  open,
  onOpenChange,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
}) {
  return (
    <Dialog kind="drawer" title={shellText.navigation} open={open} onOpenChange={onOpenChange}>
      <Sidebar />
    </Dialog>
  )
}
