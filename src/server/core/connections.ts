import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Capacity } from './capacity.ts'

/** Checks without progress after which a connection is closed. They are counted, so that a busy process closes none early. */
const LOOKS = 4
/** A body that brings fewer bytes than this in its time makes no progress. */
const MIN_UPLOAD_BYTES = 1_000
/** Requests of one connection that may wait for answers to earlier ones. */
const MAX_QUEUED_REQUESTS = 10

type OnRequest = (request: IncomingMessage, response: ServerResponse) => void
type Options = {
  capacity: Capacity
  /** Tells whether a request is an upload, which may take as long as its connection needs. */
  isUpload: (request: IncomingMessage) => boolean
  onRequest: OnRequest
}

/** Facts about a connection, kept from one check to the next. */
type Connection = {
  socket: Socket
  /** The newest request, until all of it has arrived. */
  request: IncomingMessage | null
  queued_requests: number
  received_bytes: number
  looks_at_upload: number
  looks_at_request: number
  unsent: string | null
  looks_at_reader: number
}

/**
 * Hands the requests of a server to `onRequest`, each once the connection is free for its answer: before that, nothing would tell
 * that its client has left. Connections are closed, as if their clients had left, when a body stalls or takes too long, or when
 * the client accepts none of the data sent to it. All connections are checked at intervals, so that no request needs a timer.
 */
export function handleRequests(server: Server, { capacity, isUpload, onRequest }: Options): void {
  const { max_upload_stall_ms, max_request_ms, max_reader_stall_ms } = capacity
  const connections = new Map<Socket, Connection>()
  server.on('connection', (socket: Socket) => {
    const looks = { looks_at_upload: 0, looks_at_request: 0, looks_at_reader: 0 }
    connections.set(socket, {
      socket,
      request: null,
      queued_requests: 0,
      received_bytes: 0,
      unsent: null,
      ...looks,
    })
    socket.once('close', () => connections.delete(socket))
  })
  const handleRequest: OnRequest = (request, response) => {
    const connection = connections.get(request.socket)
    if (!connection) return
    connection.request = request
    connection.received_bytes = request.socket.bytesRead
    connection.looks_at_upload = 0
    connection.looks_at_request = 0
    if (response.socket) return onRequest(request, response)
    connection.queued_requests += 1
    if (connection.queued_requests > MAX_QUEUED_REQUESTS) return void request.socket.destroy()
    response.once('socket', () => {
      connection.queued_requests -= 1
      onRequest(request, response)
    })
  }
  server.on('request', handleRequest)
  server.on('checkContinue', handleRequest)

  const closeWhere = (isStalled: (connection: Connection) => boolean, stallMs: number) =>
    setInterval(() => {
      for (const connection of connections.values()) {
        if (isStalled(connection)) connection.socket.destroy()
      }
    }, stallMs / LOOKS).unref()
  const timers = [
    closeWhere(isUploadStalled, max_upload_stall_ms),
    closeWhere((connection) => isRequestLate(connection, isUpload), max_request_ms),
    closeWhere(isReaderStalled, max_reader_stall_ms),
  ]
  server.on('close', () => timers.forEach(clearInterval))
}

function isUploadStalled(connection: Connection): boolean {
  const { socket, request } = connection
  if (request?.complete) connection.request = null
  // Data that has arrived and is still unread holds up the client, not the other way round.
  const isAwaited = connection.request !== null && connection.request.readableLength === 0
  if (!isAwaited || socket.bytesRead - connection.received_bytes >= MIN_UPLOAD_BYTES) {
    connection.received_bytes = socket.bytesRead
    connection.looks_at_upload = 0
    return false
  }
  connection.looks_at_upload += 1
  return connection.looks_at_upload > LOOKS
}

function isRequestLate(connection: Connection, isUpload: Options['isUpload']): boolean {
  const { request } = connection
  if (!request || request.complete || isUpload(request)) return false
  connection.looks_at_request += 1
  return connection.looks_at_request > LOOKS
}

function isReaderStalled(connection: Connection): boolean {
  const unsent = describeUnsent(connection.socket)
  if (unsent === null || unsent !== connection.unsent) {
    connection.unsent = unsent
    connection.looks_at_reader = 0
    return false
  }
  connection.looks_at_reader += 1
  return connection.looks_at_reader >= LOOKS
}

/** Returns a text that changes when some of the written data is accepted; null when all of it was. */
function describeUnsent(socket: Socket): string | null {
  if (socket.writableLength === 0) return null
  // The rest of a chunk that is being sent. No public field has it; Node's own socket timeouts read this one.
  const { _handle } = socket as { _handle?: { writeQueueSize?: number } | null }
  return [socket.bytesWritten, socket.writableLength, _handle?.writeQueueSize].join(' ')
}
