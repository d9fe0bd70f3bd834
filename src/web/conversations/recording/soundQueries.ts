import { queryClient, useQuery } from '#web/core/queryClient.ts'
import { readSound, type Sound } from './sound.ts'

const toSoundKey = (blockId: string) => ['recording', blockId] as const

/** Loads a recording; `url` is its file's address, undefined until known. Fails if it is gone or cannot be decoded. */
export const useSound = (blockId: string, url: string | undefined) =>
  useQuery({
    queryKey: toSoundKey(blockId),
    queryFn: async ({ signal }): Promise<Sound> => {
      const response = await fetch(url ?? '', { signal })
      if (!response.ok) throw new Error(String(response.status))
      return readSound(await response.blob())
    },
    enabled: url !== undefined,
    staleTime: Infinity,
    retry: false,
  })

/** Caches a recording made here, which then need not be fetched. */
export const rememberSound = (blockId: string, sound: Sound): void =>
  void queryClient.setQueryData(toSoundKey(blockId), sound)
