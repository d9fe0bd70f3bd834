import { Toaster } from '../ui/Toaster.tsx'
import { Tooltip } from '../ui/Tooltip.tsx'
import { ResponseOverlay } from './ResponseOverlay.tsx'

/** What lies over every page when there is something to say. */
export default function Overlays() {
  return (
    <>
      <ResponseOverlay />
      <Toaster />
      <Tooltip />
    </>
  )
}
