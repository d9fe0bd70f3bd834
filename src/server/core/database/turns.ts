/**
 * Orders what is sent to a single connection: operations pass at once, except that while a transaction holds the
 * connection they wait in line. First come, first served.
 */
export function createTurns() {
  const line: (() => void)[] = []
  let held = false

  function advance(): void {
    while (!held) {
      const next = line.shift()
      if (!next) return
      next()
    }
  }

  return {
    /** Sends one operation in its turn. */
    pass<T>(send: () => Promise<T>): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        line.push(() => void send().then(resolve, reject))
        advance()
      })
    },

    /** Takes the connection; it stays taken until the returned function is called. */
    hold(): Promise<() => void> {
      return new Promise((resolve) => {
        line.push(() => {
          held = true
          resolve(() => {
            held = false
            advance()
          })
        })
        advance()
      })
    },
  }
}
