import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { HttpBindings } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import type { Context, MiddlewareHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { matchedRoutes } from 'hono/route'
import { parseCallKey } from '#contract/call.ts'
import { WIDGET_HEADER } from '#contract/agents/widget-visitor.ts'
import { SHOWN_USER_HEADER } from '#contract/auth/shown-user.ts'
import type { Call, CallKey, Calls, HandlerInput, HandlerOutput } from '#contract/call.ts'
import { errors } from '#contract/errors.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { AppError, toAppError, toErrorBody, toLoggedError } from './app-error.ts'
import { PROCESS } from './capacity.ts'
import type { CapacityCounter, Holder } from './capacity.ts'
import { getClientAddress, getLimitKey } from './client-address.ts'
import { sendEvents } from './event-stream/send-events.ts'
import type { SessionWatch, StreamAnswer } from './event-stream/send-events.ts'
import { FileStream, sendBytes } from './file-stream.ts'
import { createId } from './ids.ts'
import type { Log } from './log.ts'
import { readInput } from './request/request.ts'

/** The maker of a request. A guest is a visitor with an identity but without an account. */
export type Visitor = {
  user_id: string
  /** The account of the ledger that pays. */
  account_id: string
  guest: boolean
  /** Limits of the ledger beside the account's balance. */
  budgets: string[]
  /** The only chatbot that a visitor of an agent's widget may talk with. */
  chatbot?: string
  /** The provision key that makes the request for the user. */
  provision_key_id?: string
}

/** A handler's knowledge of a request besides its input. */
export type CallContext<V = Visitor> = {
  visitor: V
  request_id: string
  /** The client's key in limits by address (client-address.ts), as far as TRUST_PROXY lets us know it. */
  client: string
  /** The answer's headers: a handler may add a cookie. */
  headers: Headers
  request: Request
  /** For a stream that is to end when the browser is signed out. */
  watchSession: () => SessionWatch
}

type VisitorFor<C extends Call> = C['auth'] extends 'public' ? Visitor | null : Visitor

/**
 * A handler for each call of a feature. A missing one is a type error. Input and answer have the types of the call's schemas; an
 * AppError that is thrown becomes the error's body.
 *
 * ```ts
 * export const notesRoutes = (notes: Notes): Handlers<typeof notesCalls> => ({
 *   'GET /api/notes': async ({ query }, { visitor }) => ({ items: await notes.list(visitor.user_id, query) }),
 *   'DELETE /api/notes/{id}': async ({ params }, { visitor }) => {
 *     await notes.delete(visitor.user_id, params.id)
 *     return undefined
 *   },
 * })
 * ```
 */
export type Handlers<F extends Calls> = {
  [K in keyof F]: F[K] extends Call
    ? (input: HandlerInput<F[K]>, context: CallContext<VisitorFor<F[K]>>) => Promise<HandlerAnswer<F[K]>>
    : never
}

type HandlerAnswer<C extends Call> = C['response'] extends 'stream'
  ? StreamAnswer
  : C['response'] extends 'file' | 'text'
    ? Response | FileStream
    : HandlerOutput<C>

/** Ties a request to a visitor; given by the auth feature, since core does not know about accounts. */
export type VisitorResolver = {
  /** The visitor of the request's cookie, or null. May renew the cookie in `headers`. */
  resolveVisitor(request: Request, headers: Headers): Promise<Visitor | null>
  /** Makes a guest identity and puts its cookie into `headers`. Throws AppError rate_limited. */
  createGuest(headers: Headers, client: string, request: Request): Promise<Visitor>
  /** Watches the session of the request's cookie. */
  watchSession(request: Request): SessionWatch
}

export type AppEnv = {
  Bindings: HttpBindings
  Variables: {
    request_id: string
    log: Log
    /** Sites that may show the page in a frame (CSP frame-ancestors); none where absent. A framed page gets no cookie. */
    frame_ancestors?: string
    /** The events of the body: written past Hono, whose streams cost more than all other work for an event. */
    stream_answer?: StreamAnswer
    /** The bytes of a file, likewise. */
    bytes?: Readable
  }
}
export type App = Hono<AppEnv>

/** Makes the app before any route: request ids, one log line a request, and the mapper of errors to JSON. */
export function createBaseApp(log: Log): App {
  // A slash at the end of an address makes no difference.
  const app = new Hono<AppEnv>({ strict: false })
  app.use(async (c, next) => {
    const requestId = createId()
    c.set('request_id', requestId)
    c.set('log', log.child({ request_id: requestId }))
    const started = performance.now()
    await next()
    // Not by `c.header`, which turns the body into a stream for a new response.
    c.res.headers.set('X-Request-Id', requestId)
    const ms = Math.round(performance.now() - started)
    const requestLog = c.get('log')
    if (requestLog.isLevelEnabled('debug'))
      requestLog.debug({ method: c.req.method, route: getRoute(c), status: c.res.status, ms }, 'request')
    const streamAnswer = c.get('stream_answer')
    const bytes = c.get('bytes')
    if (streamAnswer) sendStream(c, streamAnswer)
    else if (bytes) sendFile(c, bytes)
  })
  app.use((c, next) => {
    // U+0000 occurs in no name, and neither the file system nor the database accepts it.
    if (c.req.path.includes('\0')) throw new AppError('not_found')
    return next()
  })
  app.onError((error, c) => toErrorResponse(c, error))
  return app
}

/**
 * Returns the route of a request, `/share/:id`, for the log: the address itself, and its query, may give access. `*` where no
 * route of its own matches.
 */
const getRoute = (c: Context): string => matchedRoutes(c).find(({ path }) => !path.includes('*'))?.path ?? '*'

/** Sends events after the response's head, or only the head for a HEAD request. */
function sendStream(c: Context<AppEnv>, answer: StreamAnswer): void {
  if (c.req.method === 'HEAD') return answer.session.release()
  void sendEvents(takeHead(c), answer, c.get('log'))
}

/** Sends the bytes of a file after the response's head; none for a HEAD request, or when an error took their place. */
function sendFile(c: Context<AppEnv>, bytes: Readable): void {
  if (c.req.method === 'HEAD' || !c.res.ok) return void bytes.destroy()
  void sendBytes(takeHead(c), bytes, c.get('log'))
}

/** Copies status and headers of the response, whose body is sent past Hono. */
function takeHead(c: Context<AppEnv>): ServerResponse {
  const { outgoing } = c.env
  for (const [name, value] of c.res.headers) {
    if (name === 'set-cookie') outgoing.appendHeader(name, value)
    else outgoing.setHeader(name, value)
  }
  outgoing.statusCode = c.res.status
  c.res = undefined
  c.res = RESPONSE_ALREADY_SENT
  return outgoing
}

function toErrorResponse(c: Context<AppEnv>, error: unknown): Response {
  const requestId = c.get('request_id')
  const appError =
    error instanceof HTTPException
      ? new AppError(toHttpErrorCode(error), { cause: error })
      : toAppError(error)
  if (errors[appError.code].status >= 500) {
    const { code } = appError
    c.get('log').error({ err: toLoggedError(appError), code, route: getRoute(c) }, 'request failed')
  }
  if (appError.retry_after !== undefined) c.header('Retry-After', String(Math.ceil(appError.retry_after)))
  c.header('Cache-Control', 'no-store')
  return c.json(toErrorBody(appError, requestId), errors[appError.code].status)
}

const toHttpErrorCode = (error: HTTPException): ErrorCode =>
  error.status === 413 ? 'payload_too_large' : error.status < 500 ? 'bad_request' : 'internal'

/** Headers in which proxies name their clients. */
const FORWARDING_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']

/**
 * Tells whether a request comes from this very machine, by its own name: not through a proxy that runs here, nor from a page of a
 * foreign site whose name was made to lead here (DNS rebinding).
 */
export const isLocalRequest = (c: Context): boolean =>
  /^(127\.|::1$|::ffff:127\.)/.test(getConnInfo(c).remote.address ?? '') &&
  /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i.test(c.req.header('Host') ?? '') &&
  !FORWARDING_HEADERS.some((name) => c.req.header(name) !== undefined)

type MountOptions = {
  app: App
  identify: VisitorResolver
  /** Identifies the visitor of an agent's widget (agents/widget-visitor.ts), instead of `identify`. */
  identifyWidget: VisitorResolver
  trust_proxy: number
  /** Calls under way, and the bytes of their bodies. */
  calls: CapacityCounter
  body_bytes: CapacityCounter
}

type CallHandler = (input: unknown, context: CallContext<Visitor | null>) => Promise<unknown>

/** Calls with their handlers. */
export type CallGroup = {
  calls: Calls
  handlers: Record<string, CallHandler>
  /** Identifies the visitor instead of the app's own way, which it gets. */
  identify?: ((own: VisitorResolver) => VisitorResolver) | undefined
}

/**
 * Mounts calls on the app: capacity, identity, origin check, schemas, handler, answer. Paths without parameters come first, so that
 * `/api/block/categories` is no id of `/api/block/{id}`, whichever feature has which.
 */
export function mountCalls(m: MountOptions, groups: readonly CallGroup[]): void {
  const entries = groups.flatMap(({ calls, handlers, identify }) =>
    (Object.keys(calls) as CallKey[]).map((key) => ({
      ...parseCallKey(key),
      call: calls[key]!,
      handler: handlers[key]!,
      resolver: identify?.(m.identify) ?? m.identify,
    })),
  )
  const hasParameters = ({ path }: { path: string }): boolean => path.includes('{')
  const sorted = [...entries.filter((entry) => !hasParameters(entry)), ...entries.filter(hasParameters)]
  for (const { method, path, call, handler, resolver } of sorted) {
    m.app.on(method, toRoutePath(path), async (c) => {
      if (method !== 'GET' && !call.webhook) requireOwnOrigin(c)
      const isWidget = c.req.header(WIDGET_HEADER) !== undefined
      if (isWidget && !call.widget) throw new AppError('unauthorized')
      const identify = isWidget ? m.identifyWidget : resolver
      const client = getClientKey(c, m.trust_proxy)
      const holders: Holder[] = [{ type: 'address', id: client }]
      const [ownCall, ownBody] = [m.calls.open(), m.body_bytes.open()]
      // A stream is under way until its reader has received all of it, or has left.
      c.env.outgoing.once('close', () => {
        ownCall.release()
        ownBody.release()
      })
      ownCall.reserve(1, [PROCESS, ...holders])
      const headers = new Headers({ 'Cache-Control': 'no-store' })
      let visitor = await identify.resolveVisitor(c.req.raw, headers)
      const shownUser = c.req.header(SHOWN_USER_HEADER)
      if (shownUser && shownUser !== visitor?.user_id) throw new AppError('login_expired')
      if (call.auth === 'user' && (!visitor || visitor.guest)) throw new AppError('unauthorized')
      if (visitor) {
        const holder: Holder = { type: 'visitor', id: visitor.user_id }
        ownCall.reserve(1, [holder])
        holders.push(holder)
      }
      const input = await readInput(c, call, (bytes) => ownBody.reserve(bytes, [PROCESS, ...holders]))
      if (call.auth === 'guest') {
        visitor ??= call.creates_guest
          ? await identify.createGuest(headers, client, c.req.raw)
          : createNobody()
      }
      const requestId = c.get('request_id')
      const request = c.req.raw
      const watchSession = () => identify.watchSession(request)
      const answer = await handler(input, {
        visitor,
        request_id: requestId,
        client,
        headers,
        request,
        watchSession,
      })
      if (call.response === 'stream') {
        c.set('stream_answer', answer as StreamAnswer)
        return new Response(null, { headers })
      }
      if (answer instanceof FileStream) {
        c.set('bytes', answer.bytes)
        for (const [name, value] of Object.entries(answer.headers)) headers.set(name, value)
        return new Response(null, { headers })
      }
      const response = toResponse(answer, headers)
      // Nobody reads the body of an answer to HEAD, so it is ended here with everything that it keeps open.
      if (request.method === 'HEAD') await response.body?.cancel()
      return response
    })
  }
}

/** Returns the key of a request's client in limits by address (client-address.ts). */
export const getClientKey = (c: Context, trustProxy: number): string => {
  const forwardedFor = c.req.header('X-Forwarded-For')
  return getLimitKey(
    getClientAddress({ peer: getConnInfo(c).remote.address, forwarded_for: forwardedFor }, trustProxy),
  )
}

/** Makes a guest who owns nothing and is stored nowhere: nothing that they ask for exists. */
const createNobody = (): Visitor => ({
  user_id: createId(),
  account_id: createId(),
  budgets: [],
  guest: true,
})

/**
 * Answers the other methods of the calls' paths with 405 and `Allow` (RFC 9110, 15.5.6). Paths with parameters are registered
 * after the calls, the others before them, since `fork` is no id of a session. Outside of /api a page may have the same path.
 */
export function mountMethodErrors(app: App, calls: Calls, paths: 'with parameters' | 'without'): void {
  const routes = (Object.keys(calls) as CallKey[]).map(parseCallKey)
  for (const [path, group] of Map.groupBy(routes, ({ path }) => path)) {
    if (path.includes('{') !== (paths === 'with parameters')) continue
    const methods = group.map(({ method }) => method)
    const handledMethods: readonly string[] = methods.includes('GET') ? [...methods, 'HEAD'] : methods
    const allow = methods.join(', ')
    app.all(toRoutePath(path), (c, next) => {
      if (handledMethods.includes(c.req.method) || (c.req.method === 'GET' && !path.startsWith('/api/')))
        return next()
      c.header('Allow', allow)
      throw new AppError('method_not_allowed')
    })
  }
}

/** `/api/x/{id}` as Hono writes it. */
const toRoutePath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

/**
 * A form on a foreign site can send our cookie but not this header (specification section 6: requests send cookies and the
 * X-Requested-With header). It cannot send a Bearer token either, which programs send instead.
 */
function requireOwnOrigin(c: Context): void {
  const program = /^Bearer /i.test(c.req.header('Authorization') ?? '')
  if (!program && !c.req.header('X-Requested-With')) throw new AppError('untrusted_origin')
}

function toResponse(answer: unknown, headers: Headers): Response {
  if (answer instanceof Response) {
    headers.forEach((value, name) => {
      answer.headers.append(name, value)
    })
    return answer
  }
  if (answer === undefined) return new Response(null, { status: 204, headers })
  const body = JSON.stringify(answer)
  headers.set('Content-Type', 'application/json')
  // The length keeps a short answer uncompressed.
  headers.set('Content-Length', String(Buffer.byteLength(body)))
  return new Response(body, { headers })
}

/** Answers unknown paths under /api, and every other unmatched request except for pages. */
export const handleNotFound: MiddlewareHandler = async () => {
  throw new AppError('not_found')
}
