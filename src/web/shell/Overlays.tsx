import { Toaster } from '#web/ui/Toaster.tsx'
import { Tooltip } from '#web/ui/Tooltip.tsx'
import { UnexpectedResponseOverlay } from './UnexpectedResponseOverlay.tsx'

/** What lies over every page when there is something to say. */
export default function Overlays() {
  return (
    <>
      <UnexpectedResponseOverlay />
      <Toaster />
      <Tooltip />
    </>
  )
}
