import { Tabs as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'

type Tab = { value: string; label: string; content: ReactNode }

/**
 * Tabs with their panels; arrow keys move between tabs. Uncontrolled: `initial` or the first tab is open at the start. If there
 * are more tabs than room, they scroll sideways; the hairline is a shadow because a border would be cut off with them.
 */
export function Tabs({ label, tabs, initial }: { label: string; tabs: Tab[]; initial?: string }) {
  return (
    <Primitive.Root defaultValue={initial ?? tabs[0]?.value}>
      <Primitive.List
        aria-label={label}
        className="flex gap-2 overflow-x-auto overflow-y-hidden shadow-[inset_0_-1px_var(--line)] [scrollbar-width:none]"
      >
        {tabs.map((tab) => (
          <Primitive.Trigger
            key={tab.value}
            value={tab.value}
            className="shrink-0 rounded-t-sm px-1.5 -outline-offset-2 border-b-2 border-transparent py-2 text-note whitespace-nowrap text-ink2 transition-colors hover:text-ink data-[state=active]:border-ink data-[state=active]:font-medium data-[state=active]:text-ink max-md:min-h-11"
          >
            {tab.label}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      {tabs.map((tab) => (
        <Primitive.Content key={tab.value} value={tab.value} className="pt-3">
          {tab.content}
        </Primitive.Content>
      ))}
    </Primitive.Root>
  )
}
