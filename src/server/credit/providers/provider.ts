/** What a provider says of a payment. */
export type Payment = {
  order_id: string
  /** Its own number of it; empty where there is none yet. */
  trade_no: string
  /** Hundredths of the currency. */
  amount: number
  currency: string
  /** `unknown`: it knows no such order, or not yet. */
  state: 'unpaid' | 'paid' | 'closed' | 'unknown'
}

/** An order, as far as a provider has to know it. */
export type PayableOrder = {
  id: string
  /** What the person reads when paying. */
  name: string
  /** Hundredths of a yuan. */
  price: number
  expires_at: Date
}

/**
 * Who takes the money of an order. Every call may be made again for the same order: none of them acts twice. They reject
 * when the provider cannot be asked, refuses, or answers what it has not signed.
 */
export type PaymentProvider = {
  name: 'sandbox' | 'wechat' | 'alipay'
  /** Makes the order known; returns what its QR code says. */
  create(order: PayableOrder): Promise<string>
  query(orderId: string): Promise<Payment>
  /** From then on it cannot be paid. */
  close(orderId: string): Promise<void>
  /** Gives all of the money back. */
  refund(order: PayableOrder): Promise<void>
  /**
   * Reads a notification, once it is sure who signed it, when, and for whom; null where it tells of no payment. Throws
   * AppError signature_invalid, payment_mismatch.
   */
  parseNotification(body: string, headers: Headers): Promise<Payment | null>
}

/** How an order is called at the providers, which allow 32 characters. */
export const toOutTradeNo = (orderId: string): string => orderId.replaceAll('-', '')

/** The reverse; null for what no order is called. */
export const parseOutTradeNo = (outTradeNo: string): string | null =>
  /^[\da-f]{32}$/.test(outTradeNo)
    ? outTradeNo.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    : null

/** Seconds that a notification may be old, or ahead of our clock. */
export const MAX_NOTIFICATION_AGE_S = 300

/** How long a provider may take to answer, ms. */
export const PROVIDER_TIMEOUT_MS = 10_000
