import { asString, filterObjects, getField, isJsonObject, parseJsonObject } from '#server/core/json.ts'
import type { Rejection } from '#contract/gateway/errors.ts'

/** A platform's words about an error, from the form of any vendor. */
export type VendorError = { message: string; type: string; code: string | null; param: string | null }

const MAX_MESSAGE_CHARS = 500

/** Reads errors of OpenAI, Anthropic, Google, FastAPI, Ollama and SiliconFlow, and plain texts; never throws. */
export function parseVendorError(body: string): VendorError {
  // Google sends a list unless events were requested.
  const json = parseJsonObject(body.trim().replace(/^\[([^]*)\]$/, '$1'))
  if (json) return readVendorError(json['error'] ?? json)
  return toPlainError(/^[<{[]/.test(body) ? '' : body)
}

/** Reads an error that is an object already. */
export function readVendorError(error: unknown): VendorError {
  if (typeof error === 'string') return toPlainError(error)
  // Servers that pass on another one's error may put it into theirs.
  const inner = getField(getField(error, 'detail'), 'error')
  if (isJsonObject(inner)) return readVendorError(inner)
  const { message, error_msg, msg, detail, type, code, status, param } = isJsonObject(error) ? error : {}
  const [first] = filterObjects(detail)
  const words = message ?? error_msg ?? msg ?? (typeof detail === 'string' ? detail : getField(first, 'msg'))
  return {
    message: asString(words),
    type: asString(type),
    code: toVendorCode(code) ?? toVendorCode(status),
    param: toParam(param ?? getField(first, 'loc')),
  }
}

const toPlainError = (message: string): VendorError => ({ message, type: '', code: null, param: null })

/** A code that says more than the status does: `1261` or `invalid_value`, not `400`. */
function toVendorCode(code: unknown): string | null {
  if (typeof code !== 'string' && typeof code !== 'number') return null
  const text = String(code)
  return /^[\w.-]{1,64}$/.test(text) && !/^\d{1,3}$/.test(text) ? text : null
}

/** FastAPI names a place as a list: `["body", "messages", 0]`. */
function toParam(param: unknown): string | null {
  const text = Array.isArray(param) ? param.slice(1).join('.') : param
  return typeof text === 'string' && /^[\w.[\]-]{1,100}$/.test(text) ? text : null
}

/** The error as the sender of the request may read it. */
export const toRejection = (status: number, { message, code, param }: VendorError): Rejection => ({
  status,
  code,
  param,
  message: cleanMessage(message),
})

/**
 * Texts that identify the operator at its platform, or the platform's inside: keys, accounts, ids of requests, addresses of
 * servers. They are none of the sender's business.
 */
const PRIVATE: [RegExp, string][] = [
  [/\b\w+:\/\/[^\s"'<>)\]}，。]+/g, '[url]'],
  [/[\w.+-]+@[\w-]+(\.[\w-]+)+/g, '***'],
  [/\b(?:[a-z\d-]+\.)+(?:com|cn|net|org|ai|io|dev|cloud|internal|local)\b(?::\d+)?(?:\/\S*)?/gi, '[url]'],
  [/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g, '[url]'],
  [/\bBearer\s+\S+/gi, '***'],
  [/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi, '***'],
  // org-Ab12…, proj_…, sk-…, ep-2025…, req_…: a word with a digit after the prefix, so that names of fields stay.
  [
    /\b(?:org|proj|project|acct|account|user|team|tenant|workspace|wrkspc|sk|pk|ak|key|ep|req|request|trace)[-_](?=[\w-]*\d)[\w-]{6,}/gi,
    '***',
  ],
  [/\bAIza[\w-]{20,}/g, '***'],
  [/\b(request|trace|log)[ _-]?id["']?\s*[:=：]\s*["']?[\w-]+["']?/gi, '$1 id: ***'],
  [/\b(?=[\w-]*\d)[\w-]{36,}/g, '***'],
]

function cleanMessage(message: string): string {
  // A message is short; one with a whole prompt or a stack in it is cut before it is read.
  const line = message.slice(0, 4 * MAX_MESSAGE_CHARS).replace(/[\s\p{Cc}]+/gu, ' ')
  const clean = PRIVATE.reduce((text, [pattern, standIn]) => text.replace(pattern, standIn), line).trim()
  return clean.length > MAX_MESSAGE_CHARS ? `${clean.slice(0, MAX_MESSAGE_CHARS - 1).toWellFormed()}…` : clean
}
