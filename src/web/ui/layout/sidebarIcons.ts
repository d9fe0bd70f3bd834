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

/** The icons of sidebar links, kept apart so that the first load contains no others. */
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
