/** Codes of errno(3) that say that a disk or the machine cannot serve at present: no fault of what is in a file. */
const MACHINE_CODES = new Set(
  'EIO ENOSPC EDQUOT EROFS EMFILE ENFILE ENOMEM EAGAIN EBUSY ESTALE ENXIO ENODEV EHOSTDOWN ENOTCONN'.split(
    ' ',
  ),
)

/** Tells whether something failed because a disk or the machine cannot serve at present, so that a retry may succeed. */
export function isMachineFailure(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (MACHINE_CODES.has((cause as NodeJS.ErrnoException).code ?? '')) return true
  return false
}
