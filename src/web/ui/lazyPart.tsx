import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { code, type NotLoaded, withCode } from './code.ts'

type Options<P> = {
  /** Loaded at once, though the first picture does not wait for it. */
  now?: boolean
  /** For what stands over the page: how it is closed. False while it is not open; null: it is shown, but not over the page. */
  close?: (props: P) => (() => void) | false | null
  /** Nobody would miss it, or its place has no room for words. */
  quiet?: boolean
  /** It is the page. */
  page?: boolean
  /** Stands in its place until it is there. */
  fallback?: (props: P) => ReactNode
}

type View = typeof import('./NotLoaded.tsx').default

// Loaded at once, so that it is there when the network is not.
const view = code(() => import('./NotLoaded.tsx'), true)

/** What gives the code of each part that what is loaded already may show. */
export const parts = new Set<() => Promise<unknown>>()

/**
 * A component whose code is loaded when it is first shown. React's own `lazy` keeps a failure for good and hands it to the
 * nearest boundary: one dialog that did not come without a network took the whole page with it. This one stays in its
 * place, says that it is not there, and asks again when it is told to; what is no dialog also when the network is back.
 */
export function lazyPart<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  { now, close, quiet, page = false, fallback }: Options<P> = {},
): ComponentType<P> {
  let Loaded: ComponentType<P> | undefined
  const get = code(async () => {
    Loaded = (await load()).default
  }, now)
  parts.add(get)

  return function Part(props: P) {
    const [failed, setFailed] = useState<NotLoaded | null>(null)
    const [pending, setPending] = useState(false)
    // React draws nothing anew where no state is another than before.
    const [there, setThere] = useState(Loaded !== undefined)
    const [View, setView] = useState<View>()
    const leave = close?.(props)
    const open = Boolean(leave)
    const attempt = async () => {
      // It may have come after this was drawn without it.
      if (Loaded) return setThere(true)
      setPending(true)
      const failure = await get().then(
        () => null,
        (error: NotLoaded) => error,
      )
      setFailed(failure)
      setPending(false)
      setThere(!failure)
      if (failure && (close ? leave : !quiet))
        await withCode(
          view,
          (module) => setView(() => module.default),
          () => leave && leave(),
        )
    }
    const onRetry = () => (failed?.stale ? location.reload() : void attempt())

    useEffect(() => {
      setFailed(null)
      if (leave !== false) void attempt()
    }, [open, leave === false])
    useEffect(() => {
      if (!failed || close) return
      const onOnline = () => void attempt()
      addEventListener('online', onOnline)
      return () => removeEventListener('online', onOnline)
    }, [failed])

    // A dialog stays mounted once it was open: closing, it gives the focus back before the part takes it.
    const missing = View && (close || failed) && (
      <View
        stale={failed?.stale ?? false}
        {...{ pending, onRetry, page }}
        {...(close
          ? { dialog: { open: open && failed !== null, onClose: () => !Loaded && leave && leave() } }
          : {})}
      />
    )
    return (
      <>
        {missing}
        {there && Loaded ? <Loaded {...props} /> : (close || !missing) && fallback?.(props)}
      </>
    )
  }
}
