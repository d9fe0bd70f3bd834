/**
 * Header of the requests of an agent's widget: the agent's id and, after a blank, the visitor's token once there is one. Such a
 * request comes from that visitor alone: its cookies are not read.
 */
export const WIDGET_HEADER = 'X-Widget'
/** Header of the answer that creates a visitor: the token to send from then on. */
export const WIDGET_TOKEN_HEADER = 'X-Widget-Token'
/** Message by which the page in the frame asks the site around it to close it. */
export const WIDGET_CLOSE = 'wenqu-widget:close'

export const MAX_WIDGET_SITES = 20
/** Coins a day. */
export const DEFAULT_WIDGET_LIMIT = 100
export const MAX_WIDGET_LIMIT = 100_000
