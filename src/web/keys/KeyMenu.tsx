import { MoreHorizontal } from 'lucide-react'
import { keysText } from '../text/keys.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { Menu, type MenuDivider, type MenuItem } from '../ui/Menu.tsx'

/** The button at the end of a key's row, and what can be done with the key. */
export function KeyMenu({ name, items }: { name: string; items: (MenuItem | MenuDivider)[] }) {
  return (
    <Menu
      placement="bottom-end"
      items={items}
      trigger={(props) => (
        <IconButton {...props} size="sm" label={keysText.menu(name)}>
          <MoreHorizontal size={17} aria-hidden />
        </IconButton>
      )}
    />
  )
}
