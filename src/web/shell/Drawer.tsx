import { shellText } from '../text/shell.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { Sidebar } from './Sidebar.tsx'

/** The sidebar on phones. */
export default function Drawer({
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
