import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'

/**
 * The callers that a call admits: `public` anyone, `guest` anyone with an identity (a signed-in user or a guest; others are
 * answered like a guest who owns nothing), `user` signed-in users only (others get 401).
 */
type Auth = 'public' | 'guest' | 'user'

/** One HTTP call as data. Its name, method and path together are its key in the calls of its feature. */
export type Call = {
  /** One Chinese line for the API reference. */
  summary: string
  auth: Auth
  /** It creates something that has to belong to somebody: a visitor without an identity becomes a guest, by cookie. */
  creates_guest?: true
  /** A program may make it for its owner with `Authorization: Bearer pk-wq-…`, a provision key. */
  bearer?: true
  /** A visitor of an agent's widget may make it (agents/widget-visitor.ts); all other calls answer such visitors 401. */
  widget?: true
  /**
   * Another server makes it and proves itself by a signature over the body, which the handler gets as the raw text, or by one in
   * the path: X-Requested-With is not required.
   */
  webhook?: true
  params?: z.ZodObject
  query?: z.ZodObject
  body?: BodySchema
  /** Headers of its own, for the API reference; the handler reads them itself. */
  headers?: z.ZodObject
  /** JSON answered with 200; `stream` is a text/event-stream; `file` bytes to be saved; `text` a word; `none` is an empty 204. */
  response: z.ZodType | 'stream' | 'file' | 'text' | 'none'
  /** Error codes of this call beyond those that every call may answer. */
  errors?: readonly ErrorCode[]
}

/** The fields of a body; for a body in a conversation, lists of fields of which the channel of its `chatbot` chooses one. */
export type BodySchema = z.ZodObject | z.ZodXor<readonly z.ZodObject[]>

/** Returns the fields of a body: those of all its lists together. */
export const getBodyShape = (body: BodySchema): z.ZodObject['shape'] =>
  'options' in body ? Object.assign({}, ...body.options.map(({ shape }) => shape)) : body.shape

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
/** `POST /api/chat/create`; `{name}` stands for a path parameter. */
export type CallKey = `${Method} /${string}`
export type Calls = Record<CallKey, Call>

type SchemaOutput<S> = S extends z.ZodType ? z.output<S> : undefined
type SchemaInput<S> = S extends z.ZodType ? z.input<S> : undefined

/** A handler's input, after the call's schemas have read it. */
export type HandlerInput<C extends Call> = {
  params: SchemaOutput<C['params']>
  query: SchemaOutput<C['query']>
  body: C extends { webhook: true } ? string : SchemaOutput<C['body']>
}

/** A client's request. Parts that a call does not have are absent. */
export type CallRequest<C extends Call> = (C extends { params: z.ZodObject }
  ? { params: SchemaInput<C['params']> }
  : unknown) &
  (C extends { query: z.ZodObject } ? { query?: SchemaInput<C['query']> } : unknown) &
  (C extends { body: BodySchema } ? { body?: SchemaInput<C['body']> } : unknown)

/** The answer of a call, as JSON. */
export type HandlerOutput<C extends Call> = C['response'] extends z.ZodType
  ? z.input<C['response']>
  : undefined
export type CallResponse<C extends Call> = C['response'] extends z.ZodType
  ? z.output<C['response']>
  : undefined

/** Splits `POST /api/chat/create` into its method and path. */
export function parseCallKey(key: CallKey): { method: Method; path: string } {
  const space = key.indexOf(' ')
  return { method: key.slice(0, space) as Method, path: key.slice(space + 1) }
}
