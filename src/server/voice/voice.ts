import { AppError } from '../core/app-error.ts'
import type { Catalogue } from '../llm/catalogue.ts'
import { preferenceOf } from '../llm/routing/preference.ts'
import { speechWork } from '../llm/works/speech.ts'
import type { Runs } from '../runs/runs.ts'
import type { Users } from '../users/users.ts'

export type Sound = { media_type: string; bytes: Buffer }
export type Voice = ReturnType<typeof openVoice>

type Options = { runs: Runs; catalogue: Catalogue; users: Users }

/** The kind of the runs that read aloud; nothing but the bill is kept of them. */
export const VOICE_KIND = 'voice'

/** Texts read aloud, each a run of its own: held, spoken, charged by its characters. */
export function openVoice({ runs, catalogue, users }: Options) {
  /** The first model of the models file that can speak now. */
  const model = () =>
    catalogue.models().find(({ id, type }) => type === 'tts' && catalogue.offers(id).length > 0)

  return {
    available: (): boolean => model() !== undefined,

    /** Throws AppError: nobody can speak, not affordable, what the platform refused. */
    async speak(user_id: string, text: string): Promise<Sound> {
      const speaker = model()
      if (!speaker) throw new AppError('model_unavailable')
      const { provider_sort } = await users.choices(user_id)
      const run = await runs.openGrouped({
        user_id,
        kind: VOICE_KIND,
        subject_id: user_id,
        model: speaker.id,
        work: speechWork({ input: text }),
        preference: preferenceOf(undefined, undefined, { provider_sort }),
        free: false,
      })
      const { outcome, made } = await run.relay({ to: 'whole' })
      if (outcome.code) throw new AppError(outcome.code)
      if (made?.type !== 'bytes' || !made.bytes) throw new AppError('upstream_empty')
      return { media_type: made.media_type, bytes: made.bytes }
    },
  }
}
