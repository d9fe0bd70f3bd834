import { Ellipsis, type LucideIcon } from 'lucide-react'
import { uiText } from '#web/text/ui.ts'
import { IconButton } from '../IconButton.tsx'
import { Menu, type MenuDivider, type MenuItem } from '../Menu.tsx'
import { ActionButton, type DialogAction } from './ActionButton.tsx'
import { useIsWideScreen } from '../useIsWideScreen.ts'

type Item = MenuItem | MenuDivider
/** An action that opens a dialog, or a menu of several. */
export type HeaderAction = DialogAction | { label: string; icon: LucideIcon; items: Item[] }

/** Shows the page's actions in its top bar: a button each, or on a phone one menu for all. */
export function HeaderActions({ actions }: { actions: readonly HeaderAction[] }) {
  const isWide = useIsWideScreen()
  if (isWide || actions.length === 1)
    return actions.map((action) => <Action key={action.label} {...action} />)
  return <ActionMenu label={uiText.moreActions} icon={Ellipsis} items={toItems(actions)} />
}

const Action = (action: HeaderAction) =>
  'items' in action ? <ActionMenu {...action} /> : <ActionButton {...action} />

const ActionMenu = ({ label, icon: Icon, items }: { label: string; icon: LucideIcon; items: Item[] }) => (
  <Menu
    placement="bottom-end"
    className="w-60"
    items={items}
    trigger={(trigger) => (
      <IconButton {...trigger} label={label}>
        <Icon size={18} aria-hidden />
      </IconButton>
    )}
  />
)

/** Merges all actions into one list, in which each menu becomes a section under its name. */
const toItems = (actions: readonly HeaderAction[]): Item[] =>
  actions.flatMap((action, i): Item[] => {
    const { label, icon: Icon } = action
    const previous = actions[i - 1]
    if ('items' in action) return [{ heading: label }, ...action.items]
    const item = { label, icon: <Icon size={16} />, onSelect: action.onSelect }
    return previous && 'items' in previous ? ['separator', item] : [item]
  })
