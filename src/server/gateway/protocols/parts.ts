import { AppError } from '#server/core/app-error.ts'
import type { FilePart, TextPart } from '#server/llm/llm.ts'

// Parts of a prompt other than text and images, as several protocols send them.

const PDF = 'application/pdf'
/** Types of text: `text/*`, and text under another name. */
const TEXT_TYPE = /^(text\/|application\/(json|xml|yaml|x-yaml|toml|javascript|sql|x-sh)$)|\+(json|xml)$/
/** `data:text/plain;charset=utf-8;base64,…`. Parameters of the type are ignored: text must be UTF-8. */
const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)?[^,]{0,100};base64,/
/** The beginning of every PDF, in base64. */
const PDF_BASE64 = 'JVBERi'
const UNKNOWN_TYPE_MESSAGE = '只支持 PDF 与 UTF-8 的文本文件'

/**
 * Reads a file as OpenAI's protocols send it: a data URL, or base64 alone. A text becomes a part of the prompt, since every model
 * reads that. Throws AppError bad_request for a file that is neither a text nor a PDF.
 */
export function parseFile(fileData: string, name: string | undefined): FilePart | TextPart {
  const [head = '', mediaType = ''] = DATA_URL.exec(fileData) ?? []
  const data = fileData.slice(head.length)
  const nameField = name ? { name } : {}
  if (mediaType === PDF || (!TEXT_TYPE.test(mediaType) && data.startsWith(PDF_BASE64)))
    return { type: 'file', media_type: PDF, data, ...nameField }
  if (mediaType && !TEXT_TYPE.test(mediaType)) throw createFileError()
  return createDocumentText(decodeText(data), name)
}

/** A URL is fetched by the platform, never from here. */
export const createFileUrl = (url: string, name: string | undefined): FilePart => ({
  type: 'file',
  url,
  ...(name ? { name } : {}),
})

/** A text document within a prompt, marked off from the text about it. */
export function createDocumentText(text: string, name: string | undefined): TextPart {
  const attribute = name ? ` name="${name.replace(/[<>"&]/g, '')}"` : ''
  return { type: 'text', text: `<document${attribute}>\n${text}\n</document>` }
}

function decodeText(base64: string): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'))
    if (!text.includes('\0')) return text
  } catch {
    // It is not UTF-8.
  }
  throw createFileError()
}

const createFileError = (): AppError =>
  new AppError('bad_request', { fields: { file: UNKNOWN_TYPE_MESSAGE } })
