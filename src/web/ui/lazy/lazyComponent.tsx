import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useIsHydrated } from '#web/core/useIsHydrated.ts'
import { lazyModule, type ModuleLoadError } from '#web/core/lazyModule.ts'
import { withModule } from './withModule.ts'

type Options<P> = {
  /** Loads the code at once, though the first paint does not wait for it. */
  eager?: boolean
  /** For parts over the page: returns the close function, false while closed, or null if shown within the page. */
  getOnClose?: (props: P) => (() => void) | false | null
  /** A failure is not shown: the part is dispensable, or has no room for text. */
  silent?: boolean
  /** The part is the whole page. */
  page?: boolean
  /** Shown until the part is loaded. */
  fallback?: (props: P) => ReactNode
}

type LoadFailedView = typeof import('./LoadFailed.tsx').default

// Loaded at once, so that it is there when the network is not.
const loadFailedModule = lazyModule(() => import('./LoadFailed.tsx'), true)

/** Loaders of all parts that the loaded code may show. */
export const lazyLoaders = new Set<() => Promise<unknown>>()

/**
 * A component whose code is loaded when it is first shown. React's own `lazy` keeps a failure forever and passes it to the
 * nearest boundary, so that one dialog that failed to load would take down the page. This one shows the failure in its place and
 * retries on request. Parts that are not dialogs also retry when the network is back.
 */
export function lazyComponent<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  { eager, getOnClose, silent, page = false, fallback }: Options<P> = {},
): ComponentType<P> {
  let Loaded: ComponentType<P> | undefined
  const loadOnce = lazyModule(async () => {
    Loaded = (await load()).default
  }, eager)
  lazyLoaders.add(loadOnce)

  return function LazyComponent(props: P) {
    const [loadError, setLoadError] = useState<ModuleLoadError | null>(null)
    const [pending, setPending] = useState(false)
    // A change of state, because React renders again only then.
    const [isLoaded, setIsLoaded] = useState(Loaded !== undefined)
    const isHydrated = useIsHydrated()
    const [View, setView] = useState<LoadFailedView>()
    const onClose = getOnClose?.(props)
    const open = Boolean(onClose)
    const isShown = onClose !== false
    const tryLoad = async () => {
      // The code may have arrived after this was rendered without it.
      if (Loaded) return setIsLoaded(true)
      setPending(true)
      const failure = await loadOnce().then(
        () => null,
        (error: ModuleLoadError) => error,
      )
      setLoadError(failure)
      setPending(false)
      setIsLoaded(!failure)
      if (failure && (getOnClose ? onClose : !silent))
        await withModule(
          loadFailedModule,
          (module) => setView(() => module.default),
          () => onClose && onClose(),
        )
    }
    const onRetry = () => (loadError?.stale ? location.reload() : void tryLoad())

    const onShownChange = useEffectEvent(() => {
      setLoadError(null)
      if (isShown) void tryLoad()
    })
    const onNetworkBack = useEffectEvent(() => void tryLoad())
    useEffect(() => onShownChange(), [open, isShown])
    useEffect(() => {
      if (!loadError || getOnClose) return
      const onOnline = () => onNetworkBack()
      addEventListener('online', onOnline)
      return () => removeEventListener('online', onOnline)
    }, [loadError])

    // A dialog stays mounted once opened: on closing it returns the focus before the part takes it.
    const failedView = View && (getOnClose || loadError) && (
      <View
        stale={loadError?.stale ?? false}
        {...{ pending, onRetry, page }}
        {...(getOnClose
          ? { dialog: { open: open && loadError !== null, onClose: () => !Loaded && onClose && onClose() } }
          : {})}
      />
    )
    return (
      <>
        {failedView}
        {isHydrated && isLoaded && Loaded ? (
          <Loaded {...props} />
        ) : (
          (getOnClose || !failedView) && fallback?.(props)
        )}
      </>
    )
  }
}
