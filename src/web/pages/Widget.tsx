import type { PageProps } from '#contract/pages.ts'
import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'

// All through the chat's chunk: another import of its parts would split it, and make the chat's first load larger.
const importChat = () => import('./Chat.tsx')
const SideChat = lazyComponent(async () => ({ default: (await importChat()).SideChat }))
const WidgetPage = lazyComponent(async () => {
  const { importAgentChat } = await importChat()
  return { default: (await importAgentChat()).WidgetPage }
})

/** A conversation with an agent, in a frame of another site. */
export default function Widget({ agent }: PageProps<'Widget'>) {
  return <WidgetPage agent={agent} renderChat={(props, key) => <SideChat key={key} {...props} />} />
}
