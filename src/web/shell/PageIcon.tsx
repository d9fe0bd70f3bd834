import {
  BookOpenText,
  Bot,
  Calculator,
  Coins,
  Files,
  KeyRound,
  LayoutGrid,
  MessageSquare,
  Settings2,
  type LucideIcon,
} from 'lucide-react'
import type { PageIcon as PageIconName } from '#contract/pages.ts'

const icons: Record<PageIconName, LucideIcon> = {
  chat: MessageSquare,
  agents: Bot,
  documents: Files,
  models: LayoutGrid,
  calculator: Calculator,
  docs: BookOpenText,
  charging: Coins,
  settings: Settings2,
  keys: KeyRound,
}

/** The drawing beside a link to a page, where the contract gives it one. */
export function PageIcon({ name, size }: { name: PageIconName | undefined; size: number }) {
  const Icon = name && icons[name]
  return Icon && <Icon size={size} aria-hidden />
}
