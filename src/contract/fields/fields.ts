import { accountFields } from './account.ts'
import { chatFields } from './chat.ts'
import { gatewayFields } from './gateway.ts'
import { knowledgeFields } from './knowledge.ts'

const notes: Record<string, string> = {
  ...accountFields,
  ...chatFields,
  ...knowledgeFields,
  ...gatewayFields,
}

/** Returns the meaning of a field of a feature's calls, for the API reference; undefined for a field without a note. */
export const getFieldNote = (feature: string, name: string): string | undefined =>
  notes[`${feature}.${name}`] ?? notes[name]
