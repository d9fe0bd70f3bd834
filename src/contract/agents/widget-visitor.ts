/**
 * Header of the requests of an agent's widget: the agent's id, and behind a blank the visitor's token once there is one. A request
 * that has it is made by nobody else: its cookies are not read.
 */
export const WIDGET_HEADER = 'X-Widget'
/** Header of the answer that made a visitor: the token to send from then on. */
export const WIDGET_TOKEN_HEADER = 'X-Widget-Token'
/** What the page in the frame tells the site around it when it is to be closed. */
export const WIDGET_CLOSE = 'wenqu-widget:close'

export const MAX_WIDGET_SITES = 20
/** Coins a day. */
export const DEFAULT_WIDGET_LIMIT = 100
export const MAX_WIDGET_LIMIT = 100_000
