import { ActionButton } from '#web/ui/layout/ActionButton.tsx'
import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'
import type { Props } from './SessionActions.tsx'

/** The actions on a conversation that has messages, in the top bar; until their code is there, the one other action. */
export const SessionActions = lazyComponent<Props>(() => import('./SessionActions.tsx'), {
  eager: true,
  silent: true,
  fallback({ before = [], after = [] }) {
    const [action, ...more] = [...before, ...after]
    return action && 'onSelect' in action && !more.length ? <ActionButton {...action} /> : null
  },
})
