import { Toaster } from '#web/ui/Toaster.tsx'
import { Tooltip } from '#web/ui/Tooltip.tsx'
import { UnexpectedResponseOverlay } from './UnexpectedResponseOverlay.tsx'

/** Dialogs, toasts and tooltips that any page may show. */
export default function Overlays() {
  return (
    <>
      <UnexpectedResponseOverlay />
      <Toaster />
      <Tooltip />
    </>
  )
}
