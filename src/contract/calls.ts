import { agentCalls } from './agents/agents.ts'
import { widgetCalls } from './agents/widget.ts'
import { accountCalls } from './auth/account.ts'
import { authCalls } from './auth/auth.ts'
import { blockCalls } from './blocks.ts'
import { chatCalls } from './chat.ts'
import { compareCalls } from './compare/compare.ts'
import { creditCalls, sandboxCalls } from './credit/credit.ts'
import { fileCalls } from './files.ts'
import { keyCalls, provisionKeyCalls } from './keys.ts'
import { notificationCalls } from './notifications/notifications.ts'
import { modelCalls } from './models.ts'
import { organizationCalls } from './organizations/organizations.ts'
import { promptCalls } from './prompts.ts'
import { shareCalls } from './shares.ts'
import { feedbackCalls } from '#contract/conversations/feedback.ts'
import { folderCalls } from '#contract/conversations/folders.ts'
import { sessionCalls } from '#contract/conversations/sessions.ts'
import { statisticsCalls } from './statistics/statistics.ts'
import { statsCalls } from './stats.ts'
import { taskCalls } from './tasks/tasks.ts'
import { glossaryCalls } from './translate/glossary.ts'
import { translateCalls } from './translate/translate.ts'
import { userCalls } from './users.ts'
import { voiceCalls } from './voice.ts'

/** Every call of the product, by feature. The OpenAPI document, the routes and the web's types all come from here. */
export const calls = {
  auth: authCalls,
  users: userCalls,
  account: accountCalls,
  notifications: notificationCalls,
  chat: chatCalls,
  prompts: promptCalls,
  shares: shareCalls,
  sessions: sessionCalls,
  folders: folderCalls,
  feedback: feedbackCalls,
  models: modelCalls,
  keys: keyCalls,
  provision_keys: provisionKeyCalls,
  stats: statsCalls,
  voice: voiceCalls,
  files: fileCalls,
  blocks: blockCalls,
  agents: agentCalls,
  compare: compareCalls,
  widget: widgetCalls,
  tasks: taskCalls,
  translate: translateCalls,
  glossary: glossaryCalls,
  credit: creditCalls,
  statistics: statisticsCalls,
  organizations: organizationCalls,
  sandbox: sandboxCalls,
}

export type CallGroupName = keyof typeof calls
type Groups = (typeof calls)[CallGroupName]
type ToIntersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never
/** All calls as one map from key to call. */
export type AllCalls = ToIntersection<Groups>
