import { WIDGET_HEADER, WIDGET_TOKEN_HEADER } from '#contract/agents/widget-visitor.ts'
import { identity } from '#web/core/api.ts'
import { sharedStorage } from '#web/core/browserStorage.ts'

/** A visitor's token and conversation in an agent's widget. The browser keeps them apart for each site around the frame. */
export type Visit = { token: string; sess_id: string | null }

const toKey = (agent: string): string => `wenqu.widget.${agent}`

function readVisit(agent: string): Visit {
  try {
    const storedVisit = JSON.parse(sharedStorage.getItem(toKey(agent)) ?? '') as Partial<Visit>
    return { token: storedVisit.token ?? '', sess_id: storedVisit.sess_id ?? null }
  } catch {
    return { token: '', sess_id: null }
  }
}

/**
 * Makes every call of this page one of a visitor of the agent's widget: with the token that the first question brings, and
 * without the cookies of a user who is signed in here.
 */
export function openVisit(agent: string): Visit & { keepSession: (sessId: string | null) => void } {
  let visit = readVisit(agent)
  const keep = (change: Partial<Visit>): void => {
    visit = { ...visit, ...change }
    identity.headers[WIDGET_HEADER] = visit.token ? `${agent} ${visit.token}` : agent
    sharedStorage.setItem(toKey(agent), JSON.stringify(visit))
  }
  keep({})
  identity.credentials = 'omit'
  identity.onAnswer = (headers) => {
    const token = headers.get(WIDGET_TOKEN_HEADER)
    if (token) keep({ token })
  }
  return { ...visit, keepSession: (sessId) => keep({ sess_id: sessId }) }
}
