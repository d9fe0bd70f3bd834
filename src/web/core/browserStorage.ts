type SafeStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

/** A browser may forbid storage, and throws then where it is only named; or it is full. Nothing is kept in both cases. */
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

/** What this browser keeps, for all its tabs. */
export const sharedStorage = createSafeStorage(() => localStorage)
/** What this tab keeps, over its reloads. */
export const tabStorage = createSafeStorage(() => sessionStorage)
