import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { VList, type VListHandle } from 'virtua'
import { blocksText } from '#web/text/blocks.ts'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { scrollToRange, useMarkedPassage } from '../passage/useMarkedPassage.ts'
import { drawPage, getPageRatio, openPdf, type PDFDocumentProxy } from './pdfDocument.ts'
import './pdf.css'

const MAX_PAGE_PX = 960
const GAP_PX = 16

type OpenDocument = { document: PDFDocumentProxy; ratio: number }
/** The page to go to, and the passage to mark in it, in Markdown; a new object for each request. */
type PdfTarget = { page: number; text: string | null }
type Props = {
  /** The server answers range requests for it, so that a large file is not loaded as a whole. */
  url: string
  target: PdfTarget | null
  /** The file is damaged or needs a password. */
  onFailed: () => void
}

/** The pages of a PDF as they look. Only pages near the screen are drawn. */
export default function PdfView({ url, target, onFailed }: Props) {
  const [openDocument, setOpenDocument] = useState<OpenDocument | null>(null)
  const [width, setWidth] = useState(0)
  const frame = useRef<HTMLDivElement>(null)
  const list = useRef<VListHandle>(null)
  useEffect(() => {
    const task = openPdf(url)
    let isClosed = false
    const open = async () => {
      try {
        const document = await task.promise
        const ratio = await getPageRatio(document, 1)
        if (!isClosed) setOpenDocument({ document, ratio })
      } catch {
        if (!isClosed) onFailed()
      }
    }
    void open()
    return () => {
      isClosed = true
      setOpenDocument(null)
      void task.destroy()
    }
  }, [url, onFailed])
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      // Leaves room for the page's shadow on both sides.
      const available = Math.floor((entry?.contentRect.width ?? 0) - 2 * GAP_PX)
      setWidth(Math.max(0, Math.min(available, MAX_PAGE_PX)))
    })
    if (frame.current) observer.observe(frame.current)
    return () => observer.disconnect()
  }, [])
  const isReady = openDocument !== null && width > 0
  // A layout effect, so that it comes before the effect by which a page that exists already scrolls on to the passage.
  useLayoutEffect(() => {
    if (isReady && target) list.current?.scrollToIndex(target.page - 1)
  }, [isReady, target])
  const total = openDocument?.document.numPages ?? 0
  return (
    <div ref={frame} className="h-full bg-fill">
      {openDocument && width > 0 ? (
        <VList
          ref={list}
          data={Array.from({ length: total }, (_, n) => n + 1)}
          itemSize={width * openDocument.ratio + GAP_PX}
          bufferSize={400}
          role="region"
          aria-label={blocksText.document}
          tabIndex={0}
          className="h-full overscroll-contain outline-none focus-visible:shadow-[inset_0_0_0_2px_var(--accent)]"
        >
          {(number) => (
            <div key={number} style={{ padding: `${GAP_PX / 2}px ${GAP_PX}px` }}>
              <PdfPage
                {...openDocument}
                {...{ number, total, width }}
                target={target?.page === number ? target : null}
                onFound={(range) => scrollToRange(list.current, range)}
              />
            </div>
          )}
        </VList>
      ) : (
        <Skeleton className="mx-auto h-full max-w-3xl" />
      )}
    </div>
  )
}

type PageProps = OpenDocument & {
  number: number
  total: number
  width: number
  target: PdfTarget | null
  onFound: (range: Range) => void
}

function PdfPage({ document, number, total, width, ratio: firstRatio, target, onFound }: PageProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const layer = useRef<HTMLDivElement>(null)
  const [ratio, setRatio] = useState(firstRatio)
  useMarkedPassage({ container: layer, text: target?.text ?? null, target, onFound })
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const draw = async () => {
      const pageRatio = await getPageRatio(document, number)
      signal.throwIfAborted()
      setRatio(pageRatio)
      if (canvas.current && layer.current)
        await drawPage(document, number, { canvas: canvas.current, layer: layer.current, width, signal })
    }
    // A page that cannot be drawn stays white; one that has left the screen is drawn when it comes back.
    draw().catch(() => {})
    return () => controller.abort()
  }, [document, number, width])
  return (
    <section
      aria-label={blocksText.pageOf(number, total)}
      data-page={number}
      data-target={target !== null || undefined}
      className="relative mx-auto bg-white shadow-soft outline-offset-2 data-target:outline-2 data-target:outline-accent"
      style={{ width, height: Math.floor(width * ratio) }}
    >
      <canvas ref={canvas} aria-hidden className="size-full" />
      <div ref={layer} className="pdf-text" />
    </section>
  )
}
