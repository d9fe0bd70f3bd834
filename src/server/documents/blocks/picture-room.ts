import { AppError } from '#server/core/app-error.ts'
import { createCapacityCounter } from '#server/core/capacity.ts'
import type { Capacity, Holder } from '#server/core/capacity.ts'

export type PictureRoom = ReturnType<typeof createPictureRoom>

/** Limits the pictures that questions send to models, in bytes: those in one question, and in all of them at a time. */
export function createPictureRoom({
  max_picture_bytes,
  max_question_picture_bytes: max,
}: Pick<Capacity, 'max_picture_bytes' | 'max_question_picture_bytes'>) {
  const onTheirWay = createCapacityCounter(max_picture_bytes)
  return {
    /** Opens the room of one question, which `reserve` takes and `release` gives back. */
    open() {
      const reservation = onTheirWay.open()
      return {
        /** Throws AppError pictures_too_large; overloaded or too_many_calls while others or the holders' own have the room. */
        reserve(sizes: number[], holders: readonly Holder[]): void {
          const bytes = sizes.reduce((sum, size) => sum + size, 0)
          if (bytes > max) throw new AppError('pictures_too_large', { message: describeExcess(bytes, max) })
          if (bytes) reservation.reserve(bytes, holders)
        },
        release: reservation.release,
      }
    },
  }
}

const toMegabytes = (bytes: number): number => Math.ceil(bytes / 100_000) / 10

const describeExcess = (bytes: number, max: number): string =>
  `一次提问的图片合计最多 ${toMegabytes(max)} MB，这次有 ${toMegabytes(bytes)} MB，请减少图片，或换小一些的图片`
