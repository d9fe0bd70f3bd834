import type { AllCalls } from '#contract/calls.ts'
import type { CallKey, CallResponse, CallRequest } from '#contract/call.ts'
import type { ErrorBody, Shortage } from '#contract/errors.ts'
import { apiText } from '#web/text/api.ts'

/**
 * A failed call. `message` is Chinese and fit to be shown: the server's; without one, because nothing or only a proxy's HTML
 * arrived, the action's own; without that, a general one or one about the network. `status` is 0 when no response came, and 401
 * also when the server does not know the visitor.
 */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly request_id: string
  readonly errors: Record<string, string>
  readonly shortage: Shortage | undefined

  constructor(status: number, body: Partial<ErrorBody>, failedText?: string) {
    super(body.message || (failedText ?? (status ? apiText.failed : apiText.network)))
    this.name = 'ApiError'
    this.status = status
    this.code = body.code ?? 'network'
    this.request_id = body.request_id ?? ''
    this.errors = body.errors ?? {}
    this.shortage = body.shortage
  }
}

/** The object does not exist, or belongs to another person. */
export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404

/** The same for an object named in the page's address, where the id may also be malformed. */
export const isUnknownId = (error: unknown): boolean =>
  error instanceof ApiError && [404, 422].includes(error.status)

type Identity = {
  credentials: 'same-origin' | 'omit'
  headers: Record<string, string>
  onAnswer?: (headers: Headers) => void
  /** Called when the session of the user whom the page shows has ended (shownUser.ts). */
  onSignInEnded?: () => void
  /** Called when a call has succeeded, so that the user is signed in. */
  onSignedIn?: () => void
}
/** Identifies the caller in every call; the page of a widget's visitor changes it (agents/widget/visit.ts). */
export const identity: Identity = {
  credentials: 'same-origin',
  headers: { 'X-Requested-With': 'XMLHttpRequest' },
}

type RequestOptions = {
  signal?: AbortSignal
  headers?: Record<string, string>
  /** Completes the call even if the page is left; browsers then limit the body to 64 KiB. */
  keepalive?: boolean
  /** The action's own message, for when the server sends none or nothing arrives. */
  failed?: string
}
type ApiCallKey = keyof AllCalls & CallKey
type UntypedInput = {
  params?: Record<string, string>
  query?: Record<string, string | number | boolean | null | undefined>
  body?: unknown
}

/** The URL of a call: path parameters filled in, query appended, absent values left out. */
export function buildCallUrl(key: CallKey, input: UntypedInput = {}): string {
  const path = key
    .slice(key.indexOf(' ') + 1)
    .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(input.params?.[name] ?? ''))
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== null) query.set(name, String(value))
  }
  return query.size ? `${path}?${query}` : path
}

/**
 * Awaits a response or its body, whose connection may also be cut. Throws ApiError where it does not arrive completely; an abort
 * by the caller is rethrown unchanged.
 */
export async function fromNetwork<T>(
  coming: Promise<T>,
  { signal, failed }: Pick<RequestOptions, 'signal' | 'failed'> = {},
): Promise<T> {
  try {
    return await coming
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new ApiError(0, {}, failed)
  }
}

/** Makes a call and returns the raw response, for event streams and files. Throws ApiError unless the status is 2xx. */
export async function requestRaw<K extends ApiCallKey>(
  key: K,
  input: CallRequest<AllCalls[K]>,
  { signal, headers, keepalive = false, failed }: RequestOptions = {},
): Promise<Response> {
  const untyped = input as UntypedInput
  const answer = fetch(buildCallUrl(key, untyped), {
    method: key.slice(0, key.indexOf(' ')),
    credentials: identity.credentials,
    keepalive,
    headers: {
      ...identity.headers,
      ...(untyped.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(untyped.body === undefined ? {} : { body: JSON.stringify(untyped.body) }),
    ...(signal ? { signal } : {}),
  })
  const response = await fromNetwork(answer, { signal, failed })
  identity.onAnswer?.(response.headers)
  if (response.ok) {
    identity.onSignedIn?.()
    return response
  }
  const body: unknown = await response.json().catch(() => ({}))
  const error = new ApiError(response.status, typeof body === 'object' && body ? body : {}, failed)
  if (error.code === 'login_expired') identity.onSignInEnded?.()
  throw error
}

/**
 * Makes a reading call synchronously, where the browser does not wait for promises, as when printing. Throws ApiError, or
 * DOMException without a network.
 */
export function requestNow<K extends ApiCallKey & `GET ${string}`>(
  key: K,
  input: CallRequest<AllCalls[K]>,
): CallResponse<AllCalls[K]> {
  const call = new XMLHttpRequest()
  call.open('GET', buildCallUrl(key, input as UntypedInput), false)
  for (const [name, value] of Object.entries(identity.headers)) call.setRequestHeader(name, value)
  call.send()
  if (call.status !== 200) throw new ApiError(call.status, {})
  return JSON.parse(call.responseText) as CallResponse<AllCalls[K]>
}

/** Makes a call of the contract and returns its response. Throws ApiError. */
export async function request<K extends ApiCallKey>(
  key: K,
  input: CallRequest<AllCalls[K]>,
  options: RequestOptions = {},
): Promise<CallResponse<AllCalls[K]>> {
  const response = await requestRaw(key, input, options)
  const body: unknown = response.status === 204 ? undefined : await fromNetwork(response.json(), options)
  return body as CallResponse<AllCalls[K]>
}
