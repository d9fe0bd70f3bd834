import type { PageName } from '#contract/pages.ts'

/** Which journeys walk a page, by their folders beside this file: no import tells it. `npm test -- changed` reads this. */
export const JOURNEYS_OF_PAGES: Record<PageName, readonly string[]> = {
  Home: ['chat', 'pages'],
  Chat: ['chat', 'composer', 'conversations', 'thread', 'commands', 'agents'],
  Compare: ['compare'],
  Fanyi: ['translate'],
  AgentList: ['agents'],
  AgentForm: ['agents'],
  Block: ['blocks'],
  Model: ['pages'],
  Caculator: ['pages'],
  GatewayGuide: ['pages'],
  ApiReference: ['pages'],
  ApiKey: ['keys'],
  ProvisionKey: ['keys'],
  Credit: ['credit'],
  Charging: ['pages'],
  Dashboard: ['credit', 'pages'],
  Balance: ['credit', 'pages'],
  Transaction: ['credit'],
  Task: ['translate'],
  Partner: ['pages'],
  Message: ['account'],
  Organization: ['organization'],
  Setting: ['pages', 'account'],
  Service: ['pages'],
  Share: ['conversations'],
  Widget: ['agents'],
  InvitationRefusal: ['organization'],
  AuthLogin: ['account', 'chat'],
  Outbox: ['chat', 'pages'],
  Processing: ['pages'],
  NotFound: ['pages'],
}

/** These look at every page. */
export const JOURNEYS_OF_ALL_PAGES = ['pages/accessibility']
