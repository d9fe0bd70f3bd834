type SafeStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

/** Storage may be full, or forbidden, in which case even naming it throws. Nothing is stored then. */
function createSafeStorage(open: () => Storage): SafeStorage {
  const attempt = <T>(access: (storage: Storage) => T, otherwise: T): T => {
    try {
      return access(open())
    } catch {
      return otherwise
    }
  }
  return {
    getItem: (key) => attempt((storage) => storage.getItem(key), null),
    setItem: (key, value) => attempt((storage) => storage.setItem(key, value), undefined),
    removeItem: (key) => attempt((storage) => storage.removeItem(key), undefined),
    key: (index) => attempt((storage) => storage.key(index), null),
    get length() {
      return attempt((storage) => storage.length, 0)
    },
  }
}

/** Storage of this browser, shared by its tabs. */
export const sharedStorage = createSafeStorage(() => localStorage)
/** Storage of this tab, which survives reloads. */
export const tabStorage = createSafeStorage(() => sessionStorage)
