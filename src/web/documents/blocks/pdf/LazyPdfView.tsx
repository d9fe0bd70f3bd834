import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'

/** The pages of a PDF, with a passage marked. The renderer is loaded when the first one is shown. */
export const PdfView = lazyComponent(() => import('./PdfView.tsx'), {
  fallback: () => <Skeleton className="mx-auto h-full max-w-3xl" />,
})
