import type { HandlerInput } from '#contract/call.ts'
import type { chatCalls, ChatMessage, ChatStreamEvent } from '#contract/chat.ts'
import type { SearchSource } from '#contract/web-search.ts'
import type { SessionSettings } from '#contract/conversations/sessions.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import type { Holder } from '#server/core/capacity.ts'
import type { Visitor } from '#server/core/http.ts'
import type { IdempotencyKey } from '#server/core/idempotency.ts'
import type { ModelEntry, PromptMessage, RoutePreference } from '#server/llm/llm.ts'
import type { ChatRunRequest, RunResult } from '#server/runs/runs.ts'

export type TurnInput = HandlerInput<(typeof chatCalls)['POST /api/chat/create']>['body']
export type TurnContext = {
  visitor: Visitor
  /** The client's address. */
  client: string
  /** Of a request that must not be carried out twice. */
  idempotency: IdempotencyKey | null
}

/** What differs between channels. Sessions, versions, streams, search and copies are the same for all of them. */
export type Assistant = {
  /** Decides who may begin a conversation with a chatbot of its channel, where not everybody may. Throws AppError. */
  checkAccess?(userId: string, chatbot: string): Promise<void>
  /**
   * Of a channel in which several models answer a question side by side, each in a lane of its own: who answers in a session,
   * which is locked; of `models` these. There a question follows the one before it, and its answers hang below it, so that
   * one lane is answered again without a change of the others. Throws AppError.
   */
  getLanes?(tx: Db, sessId: string, models: string[] | null): Promise<Lane[]>
  /** Tells the models whose events each have the whole text so far, beside those of which they always have. */
  repeatsText?(model: string): boolean
  /** The events of something of its channel that is no turn, as those of an answer; null where a user has none of this id. */
  watchOther?(
    userId: string,
    id: string,
  ): Promise<((signal: AbortSignal) => AsyncGenerator<AnswerEvent>) | null>
  /** A session of its channel was copied. */
  onFork?(tx: Db, from: string, to: string): Promise<void>
  /** Decides who may ask this, and reads what the turn needs, before anything is stored. Throws AppError. */
  prepareTurn(context: TurnContext, input: TurnInput): Promise<AssistantTurn>
}

/** Who gives one of several answers, and what it sets beside the session. */
export type Lane = {
  model: string
  settings: { [Name in keyof SessionSettings]?: SessionSettings[Name] | undefined } | null
}

/** One turn, as its assistant wants it. */
export type AssistantTurn = {
  /** Of a chatbot that names a session: that one, and its channel. */
  session?: { chatbot: string; sess_id: string }
  /** The model to begin with where none is asked for; the product's default where it is null or cannot be used. */
  getInitialModel(session: { model: string | null }): string | null
  /** It answers with the initial model alone, whichever is asked for. */
  has_own_model?: boolean
  preference: RoutePreference
  /** Its runs are billed as this kind; as `chat` where it is absent. The completion hook of the kind calls `completeAnswers`. */
  run_kind?: 'translation'
  /** The agent that answers, which is kept with its answers. */
  agent?: string
  /** The words of a question that was spoken: they take the place of its text. */
  spoken?: string | undefined
  /** What is known of the answer before a model is asked. */
  known?: KnownAnswer | null
  /** Whether answers stream: false where neither question nor session can have it so. */
  stream?: boolean
  /** Whether questions that could follow are wanted, whatever the question says. */
  related_prompts?: boolean
  /**
   * Called in the turn's transaction before anything is held, for limits of the assistant's own, with the number of answers.
   * Throws AppError.
   */
  beforeRun?(tx: Db, answers: number): Promise<void>
  /** Called for each model that is asked. */
  preparePrompt(turn: PromptContext): PromptPlan
}

export type PromptContext = {
  question: string
  /** An answer that goes on, as it stands; null of a new one. */
  partial: Pick<ChatMessage, 'text' | 'search'> | null
  /** The conversation so far, newest first. */
  history: Pick<ChatMessage, 'role' | 'text' | 'search'>[]
  /** The tools asked for; none where an answer goes on. */
  tools: string[]
  /** Blocks that the question is about: its own, or where it names none those of the last question that did. */
  blocks: string[]
  settings: SessionSettings
  model: ModelEntry
}

export type PromptPlan = {
  /** The system message; none where empty. */
  system: string
  /** The question is asked without the conversation so far. */
  alone?: boolean
  /** In the place of what the session sets. */
  max_tokens?: number
  temperature?: number
  /** The tools in use: they are kept with the messages. */
  tools: string[]
  /** What happens between the hold and the first call of a platform. */
  preparation: PromptPreparation | null
  /** What reads the answer ahead of its reader, by the messages that were sent. */
  createGuard?: ChatRunRequest['createGuard']
  /** Called in the transaction that stores what the model wrote; not after its process has died. */
  onSettled?: ChatRunRequest['onSettled']
}

/** An answer that is known in part: a model is asked for what is missing of it, and nobody where nothing is. */
export type KnownAnswer = {
  start: string
  /** What stands in the place of the question; null where the answer is whole without it. */
  question: string | null
  /** What follows what the model writes, where it comes to its end. */
  end: string
}

export type PromptPreparation = {
  /** Tokens that it adds to the prompt at most: they are held, and the conversation so far leaves room for them. */
  reserved_tokens: number
  /** Takes the room that it needs of this process, before anything is held. Throws AppError. */
  reserve?: ((tx: Db, holders: readonly Holder[]) => Promise<void>) | undefined
  /** Gives it back: the prompt is sent to nobody any more. May be called more than once. */
  release?: (() => void) | undefined
  /** The messages to ask with, from those of the conversation; the question is the last one. */
  buildMessages(messages: PromptMessage[], step: PreparationStep): Promise<PromptMessage[]>
  /** What is kept with the answer when it has ended, by the text that its run added; null for what is there. */
  finish?: (text: string) => AnswerNote | null
}

type PreparationStep = {
  signal: AbortSignal
  /** Tells the answer's readers how far it is. */
  publishNote: (note: AnswerNote) => void
  /** Keeps the outcome with the answer, and tells its readers. */
  saveNote: (note: AnswerNote) => Promise<void>
  /** What earlier steps found for the answer to cite. */
  sources?: SearchSource[]
}

/** What a reader of an answer is sent, and at last how it ended; `id`: from where a reader that comes back goes on. */
export type AnswerEvent = { id?: string; data: ChatStreamEvent } | { end: Pick<RunResult, 'state' | 'code'> }

/** What a preparation adds to an answer beside its text, as the wire has it. */
export type AnswerNote = Pick<ChatMessage, 'search'>

/** Two preparations as one: the second goes on with what the first came to, its sources numbered behind the first one's. */
export function joinPreparations(
  first: PromptPreparation | null,
  second: PromptPreparation | null,
): PromptPreparation | null {
  if (!first || !second) return first ?? second
  const { finish = first.finish } = second
  return {
    reserved_tokens: first.reserved_tokens + second.reserved_tokens,
    async reserve(tx, holders) {
      await first.reserve?.(tx, holders)
      await second.reserve?.(tx, holders)
    },
    release() {
      first.release?.()
      second.release?.()
    },
    async buildMessages(messages, step) {
      let { sources } = step
      const saveNote: typeof step.saveNote = async (note) => {
        sources = note.search?.sources ?? []
        await step.saveNote(note)
      }
      const prepared = await first.buildMessages(messages, { ...step, saveNote })
      return second.buildMessages(prepared, { ...step, ...(sources ? { sources } : {}) })
    },
    ...(finish ? { finish } : {}),
  }
}

/** Channel type → who serves it: a `chatbot` is `{type}` or `{type}-{id}`. */
export type Assistants = Record<string, Assistant | undefined>

/** Throws AppError channel_unavailable, agent_required; not_found where the visitor talks with another chatbot alone. */
export function requireAssistant(
  assistants: Assistants,
  chatbot: string,
  visitor: Pick<Visitor, 'chatbot'> = {},
): Assistant {
  if (visitor.chatbot !== undefined && visitor.chatbot !== chatbot) throw new AppError('not_found')
  // The channel of agents, and none of them.
  if (chatbot === 'zhiku') throw new AppError('agent_required')
  if (chatbot === 'block') throw new AppError('channel_unavailable')
  const assistant = findAssistant(assistants, chatbot)
  if (!assistant) throw new AppError('channel_unavailable')
  return assistant
}

/** Undefined where the channel of a conversation is served no more. */
export function findAssistant(assistants: Assistants, chatbot: string): Assistant | undefined {
  const type = chatbot.split('-')[0]!
  return Object.hasOwn(assistants, type) ? assistants[type] : undefined
}
