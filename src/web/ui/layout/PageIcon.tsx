import {
  Activity,
  Bell,
  Building2,
  Gift,
  KeyRound,
  LayoutDashboard,
  ReceiptText,
  Settings2,
  WalletCards,
  type LucideIcon,
} from 'lucide-react'
import type { PageIcon as PageIconName } from '#contract/pages.ts'
import { sidebarIcons } from './sidebarIcons.ts'

const icons: Record<PageIconName, LucideIcon> = {
  ...sidebarIcons,
  credit: WalletCards,
  dashboard: LayoutDashboard,
  transactions: ReceiptText,
  settings: Settings2,
  keys: KeyRound,
  tasks: Activity,
  messages: Bell,
  invite: Gift,
  organization: Building2,
}

/** Shows the icon of a page link, if the contract gives it one. */
export function PageIcon({ name, size }: { name: PageIconName | undefined; size: number }) {
  const Icon = name && icons[name]
  return Icon && <Icon size={size} aria-hidden />
}
