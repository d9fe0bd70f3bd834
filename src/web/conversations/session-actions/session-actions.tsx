import { ActionButton } from '#web/ui/layout/ActionButton.tsx'
import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'
import type { Props } from './SessionActions.tsx'

/** Actions on a conversation with messages, in the top bar. Until their code is loaded, a single other action is shown. */
export const SessionActions = lazyComponent<Props>(() => import('./SessionActions.tsx'), {
  eager: true,
  silent: true,
  fallback({ before = [], after = [] }) {
    const [action, ...more] = [...before, ...after]
    return action && 'onSelect' in action && !more.length ? <ActionButton {...action} /> : null
  },
})
