import { AsyncLocalStorage } from 'node:async_hooks'

export type TransactionGuard = ReturnType<typeof createTransactionGuard>

/**
 * Catches `db` used inside `db.transaction` where `tx` was meant. The embedded database has one connection, so such a call would
 * wait for the transaction that waits for it; on PostgreSQL it would silently run outside of the transaction.
 */
export function createTransactionGuard() {
  const scopes = new AsyncLocalStorage<{ open: boolean }>()
  return {
    /** Throws inside an open transaction. Work that outlives its transaction is free again. */
    assertOutside(): void {
      if (!scopes.getStore()?.open) return
      throw new Error(
        'db was used inside db.transaction(): this would deadlock, use the tx that it hands over',
      )
    },

    /** Runs a transaction's callback. */
    async runInside<T>(callback: () => Promise<T>): Promise<T> {
      const scope = { open: true }
      try {
        return await scopes.run(scope, callback)
      } finally {
        scope.open = false
      }
    },
  }
}
