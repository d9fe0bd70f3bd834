import {
  BookOpenText,
  Bot,
  Calculator,
  Coins,
  Columns3,
  Files,
  Languages,
  LayoutGrid,
  MessageSquare,
} from 'lucide-react'

/** The drawings of the links in the sidebar: the first load brings these alone. */
export const sidebarIcons = {
  chat: MessageSquare,
  agents: Bot,
  compare: Columns3,
  translate: Languages,
  documents: Files,
  models: LayoutGrid,
  calculator: Calculator,
  docs: BookOpenText,
  charging: Coins,
}
