/** A payment as reported by a provider. */
export type Payment = {
  order_id: string
  /** The provider's number of the payment; empty if there is none yet. */
  trade_no: string
  /** Hundredths of the currency. */
  amount: number
  currency: string
  /** `unknown`: the provider does not know the order, or not yet. */
  state: 'unpaid' | 'paid' | 'closed' | 'unknown'
}

/** The part of an order that a provider needs. */
export type PayableOrder = {
  id: string
  /** Name that the person reads when paying. */
  name: string
  /** Hundredths of a yuan. */
  price: number
  expires_at: Date
}

/**
 * Takes the money of an order. Every call may be repeated for the same order: none acts twice. Each rejects if the provider is
 * unavailable, refuses, or gives an unsigned answer. `createCredit` lists the providers.
 *
 * ```ts
 * const free: PaymentProvider = {
 *   name: 'sandbox',
 *   create: async ({ id }) => `${app_url}/credit?order=${id}`,
 *   query: async (id) => ({ order_id: id, trade_no: 'T1', amount: 100, currency: 'CNY', state: 'paid' }),
 *   close: async () => {},
 *   refund: async () => {},
 *   parseNotification: async () => null,
 * }
 * ```
 */
export type PaymentProvider = {
  name: 'sandbox' | 'wechat' | 'alipay'
  /** Registers the order; returns the content of its QR code. */
  create(order: PayableOrder): Promise<string>
  query(orderId: string): Promise<Payment>
  /** Afterwards the order cannot be paid. */
  close(orderId: string): Promise<void>
  /** Refunds all of the money. */
  refund(order: PayableOrder): Promise<void>
  /**
   * Reads a notification after verifying signer, time and recipient; null if it reports no payment. Throws AppError
   * signature_invalid, payment_mismatch.
   */
  parseNotification(body: string, headers: Headers): Promise<Payment | null>
}

/** Returns an order's number at the providers, which allow 32 characters. */
export const toOutTradeNo = (orderId: string): string => orderId.replaceAll('-', '')

/** Reverses it; returns null for anything else. */
export const parseOutTradeNo = (outTradeNo: string): string | null =>
  /^[\da-f]{32}$/.test(outTradeNo)
    ? outTradeNo.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    : null

/** Largest age of a notification, and largest lead over our clock, seconds. */
export const MAX_NOTIFICATION_AGE_S = 300

/** How long a provider may take to answer, ms. */
export const PROVIDER_TIMEOUT_MS = 10_000
