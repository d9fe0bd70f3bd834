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

/** What a field of a feature's calls means, for who reads the API reference; undefined for one without a note. */
export const getFieldNote = (feature: string, name: string): string | undefined =>
  notes[`${feature}.${name}`] ?? notes[name]
