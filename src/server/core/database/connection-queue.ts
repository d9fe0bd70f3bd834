/**
 * Orders the operations of a single connection: they pass at once, except that they wait in line while a transaction holds the
 * connection. First come, first served.
 */
export function createConnectionQueue() {
  const queue: (() => void)[] = []
  let isHeld = false

  function advance(): void {
    while (!isHeld) {
      const next = queue.shift()
      if (!next) return
      next()
    }
  }

  return {
    /** Sends one operation in its turn. */
    enqueue<T>(send: () => Promise<T>): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        queue.push(() => void send().then(resolve, reject))
        advance()
      })
    },

    /** Takes the connection; it stays taken until the returned function is called. */
    acquire(): Promise<() => void> {
      return new Promise((resolve) => {
        queue.push(() => {
          isHeld = true
          resolve(() => {
            isHeld = false
            advance()
          })
        })
        advance()
      })
    },
  }
}
