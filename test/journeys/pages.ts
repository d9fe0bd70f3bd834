import type { PageName } from '#contract/pages.ts'

/** Journeys of each page, by their folders beside this file, since no import shows it. `npm test -- changed` reads this. */
export const JOURNEYS_OF_PAGES: Record<PageName, readonly string[]> = {
  Home: ['chat', 'pages'],
  Chat: ['chat', 'composer', 'conversations', 'thread', 'commands', 'agents', 'failures'],
  Compare: ['compare', 'failures'],
  Fanyi: ['translate', 'blocks/links'],
  AgentList: ['agents', 'failures'],
  AgentForm: ['agents', 'blocks/links'],
  Block: ['blocks', 'failures'],
  Model: ['pages'],
  Caculator: ['commands', 'failures'],
  GatewayGuide: ['pages'],
  ApiReference: ['pages'],
  ApiKey: ['keys', 'account', 'failures'],
  ProvisionKey: ['keys', 'account'],
  Credit: ['credit'],
  Charging: ['pages'],
  Dashboard: ['credit'],
  Balance: ['credit', 'account'],
  Transaction: ['credit'],
  Task: ['translate'],
  Partner: ['account'],
  Message: ['account'],
  Organization: ['organization', 'failures'],
  Setting: ['pages', 'account', 'failures'],
  Service: ['account'],
  Share: ['conversations'],
  Widget: ['agents'],
  InvitationRefusal: ['organization'],
  AuthLogin: ['account', 'chat', 'failures'],
  AuthLogout: ['account'],
  Outbox: ['chat', 'pages'],
  Processing: ['pages'],
  NotFound: ['pages'],
}

/** Journeys that check every page. */
export const JOURNEYS_OF_ALL_PAGES = ['accessibility']
