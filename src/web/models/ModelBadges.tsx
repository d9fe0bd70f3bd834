import type { ModelCard } from '#contract/models.ts'
import { modelsText } from '#web/text/models.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { formatDiscountBadge } from './offers.ts'

/** Shows the badges that set a model apart: its type unless it chats, its discount, its retirement, and if it is unusable. */
export function ModelBadges({ card }: { card: ModelCard }) {
  const discount = formatDiscountBadge(card)
  return (
    <>
      {card.type !== 'chat' && <Badge>{modelsText.types[card.type]}</Badge>}
      {card.local && card.name !== modelsText.local && <Badge tone="accent">{modelsText.local}</Badge>}
      {discount && <Badge tone="accent">{discount}</Badge>}
      {card.retires && <Badge>{modelsText.retires(card.retires)}</Badge>}
      {!card.available && <Badge>{modelsText.unavailable}</Badge>}
    </>
  )
}
