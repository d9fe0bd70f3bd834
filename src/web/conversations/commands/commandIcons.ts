import {
  ArrowDown,
  ArrowUp,
  BookText,
  Braces,
  ClipboardCopy,
  Copy,
  FileText,
  FileType,
  Image,
  Keyboard,
  type LucideIcon,
  Monitor,
  Moon,
  PanelLeft,
  PenLine,
  RotateCcw,
  Search,
  Share2,
  SlidersHorizontal,
  Square,
  SquarePen,
  Sun,
  Terminal,
} from 'lucide-react'
import type { Theme } from '#web/core/theme.ts'
import type { Command } from './shortcuts.ts'

/** The icon of each command in the palette: the same as on its button, where it has one. */
export const commandIcons: Readonly<Record<Command, LucideIcon>> = {
  palette: Terminal,
  help: Keyboard,
  newChat: SquarePen,
  focusComposer: PenLine,
  stop: Square,
  regenerate: RotateCcw,
  copyAnswer: Copy,
  copyCode: ClipboardCopy,
  previousSession: ArrowUp,
  nextSession: ArrowDown,
  sidebar: PanelLeft,
  search: Search,
  prompts: BookText,
  settings: SlidersHorizontal,
  share: Share2,
  exportMarkdown: FileText,
  exportJson: Braces,
  exportWord: FileType,
  exportPicture: Image,
}

export const themeIcons: Readonly<Record<Theme, LucideIcon>> = { light: Sun, dark: Moon, system: Monitor }
