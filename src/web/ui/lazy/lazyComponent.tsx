import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useIsHydrated } from '#web/core/useIsHydrated.ts'
import { lazyModule, type ModuleLoadError } from '#web/core/lazyModule.ts'
import { withModule } from './withModule.ts'

type Options<P> = {
  /** Loaded at once, though the first picture does not wait for it. */
  eager?: boolean
  /** For what stands over the page: how it is closed. False while it is not open; null: it is shown, but not over the page. */
  getOnClose?: (props: P) => (() => void) | false | null
  /** Nobody would miss it, or its place has no room for words. */
  silent?: boolean
  /** It is the page. */
  page?: boolean
  /** Stands in its place until it is there. */
  fallback?: (props: P) => ReactNode
}

type LoadFailedView = typeof import('./LoadFailed.tsx').default

// Loaded at once, so that it is there when the network is not.
const loadFailedModule = lazyModule(() => import('./LoadFailed.tsx'), true)

/** What gives the code of each part that what is loaded already may show. */
export const lazyLoaders = new Set<() => Promise<unknown>>()

/**
 * A component whose code is loaded when it is first shown. React's own `lazy` keeps a failure for good and hands it to the
 * nearest boundary: one dialog that did not come without a network took the whole page with it. This one stays in its
 * place, says that it is not there, and asks again when it is told to; what is no dialog also when the network is back.
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
    const [failed, setFailed] = useState<ModuleLoadError | null>(null)
    const [pending, setPending] = useState(false)
    // React draws nothing anew where no state is another than before.
    const [isLoaded, setIsLoaded] = useState(Loaded !== undefined)
    const isHydrated = useIsHydrated()
    const [View, setView] = useState<LoadFailedView>()
    const onClose = getOnClose?.(props)
    const open = Boolean(onClose)
    const isShown = onClose !== false
    const tryLoad = async () => {
      // It may have come after this was drawn without it.
      if (Loaded) return setIsLoaded(true)
      setPending(true)
      const failure = await loadOnce().then(
        () => null,
        (error: ModuleLoadError) => error,
      )
      setFailed(failure)
      setPending(false)
      setIsLoaded(!failure)
      if (failure && (getOnClose ? onClose : !silent))
        await withModule(
          loadFailedModule,
          (module) => setView(() => module.default),
          () => onClose && onClose(),
        )
    }
    const onRetry = () => (failed?.stale ? location.reload() : void tryLoad())

    const onShownChange = useEffectEvent(() => {
      setFailed(null)
      if (isShown) void tryLoad()
    })
    const onNetworkBack = useEffectEvent(() => void tryLoad())
    useEffect(() => onShownChange(), [open, isShown])
    useEffect(() => {
      if (!failed || getOnClose) return
      const onOnline = () => onNetworkBack()
      addEventListener('online', onOnline)
      return () => removeEventListener('online', onOnline)
    }, [failed])

    // A dialog stays mounted once it was open: closing, it gives the focus back before the part takes it.
    const failedView = View && (getOnClose || failed) && (
      <View
        stale={failed?.stale ?? false}
        {...{ pending, onRetry, page }}
        {...(getOnClose
          ? { dialog: { open: open && failed !== null, onClose: () => !Loaded && onClose && onClose() } }
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
