import {
  Activity,
  Bell,
  BookOpenText,
  Bot,
  Building2,
  Calculator,
  Coins,
  Columns3,
  Files,
  Gift,
  KeyRound,
  Languages,
  LayoutDashboard,
  LayoutGrid,
  MessageSquare,
  ReceiptText,
  Settings2,
  WalletCards,
  type LucideIcon,
} from 'lucide-react'
import type { PageIcon as PageIconName } from '#contract/pages.ts'

const icons: Record<PageIconName, LucideIcon> = {
  chat: MessageSquare,
  agents: Bot,
  compare: Columns3,
  translate: Languages,
  documents: Files,
  models: LayoutGrid,
  calculator: Calculator,
  docs: BookOpenText,
  credit: WalletCards,
  dashboard: LayoutDashboard,
  transactions: ReceiptText,
  charging: Coins,
  settings: Settings2,
  keys: KeyRound,
  tasks: Activity,
  messages: Bell,
  invite: Gift,
  organization: Building2,
}

/** The drawing beside a link to a page, where the contract gives it one. */
export function PageIcon({ name, size }: { name: PageIconName | undefined; size: number }) {
  const Icon = name && icons[name]
  return Icon && <Icon size={size} aria-hidden />
}
