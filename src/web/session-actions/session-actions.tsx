import { ActionButton } from '#web/ui/layout/ActionButton.tsx'
import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'
import type { Props } from './SessionActions.tsx'

/** What can be done with a conversation that has messages, in the top bar. Until it is there, the one other thing that can be done. */
export const SessionActions = lazyComponent<Props>(() => import('./SessionActions.tsx'), {
  eager: true,
  silent: true,
  fallback({ before = [], after = [] }) {
    const [action, ...more] = [...before, ...after]
    return action && 'onSelect' in action && !more.length ? <ActionButton {...action} /> : null
  },
})
