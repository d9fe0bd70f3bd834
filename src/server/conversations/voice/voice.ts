import { AppError } from '#server/core/app-error.ts'
import type { Visitor } from '#server/core/http.ts'
import { canUseModel, createSpeechOperation, resolvePreference } from '#server/llm/llm.ts'
import type { Catalogue } from '#server/llm/llm.ts'
import type { Runs } from '#server/runs/runs.ts'
import type { Users } from '#server/accounts/users/users.ts'

export type SpeechAudio = { media_type: string; bytes: Buffer }
export type Voice = ReturnType<typeof createVoice>

type Options = { runs: Runs; catalogue: Catalogue; users: Users }

/** Reads texts aloud, each in a run of its own: held, executed, charged by its characters. */
export function createVoice({ runs, catalogue, users }: Options) {
  /** The first model of the models file that can speak now. */
  const findSpeechModel = () =>
    catalogue.listModels().find(({ id }) => canUseModel(catalogue, id, { type: 'tts' }))

  return {
    isAvailable: (): boolean => findSpeechModel() !== undefined,

    /** Throws AppError model_unavailable, upstream_empty, and the errors of a run, such as a balance too low. */
    async synthesize({ user_id, account_id, budgets }: Visitor, text: string): Promise<SpeechAudio> {
      const speechModel = findSpeechModel()
      if (!speechModel) throw new AppError('model_unavailable')
      const { provider_sort } = await users.getPreferences(user_id)
      const run = await runs.createBatched({
        user_id,
        account_id,
        budgets,
        kind: 'voice',
        subject_id: user_id,
        model: speechModel.id,
        operation: createSpeechOperation({ input: text }),
        preference: resolvePreference(undefined, undefined, { provider_sort }),
        free: false,
      })
      const { code, operation_output: output } = (await run.executeTo({ type: 'buffer' })).result
      if (code) throw new AppError(code)
      if (output?.type !== 'bytes' || !output.bytes) throw new AppError('upstream_empty')
      return { media_type: output.media_type, bytes: output.bytes }
    },
  }
}
