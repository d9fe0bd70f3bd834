import { exportText } from '#web/text/export.ts'
import { getStatusNote, formatToday, type Transcript, getMessageText } from './transcript.ts'

/** The conversation as one Markdown text; messages stay as they were written. */
export function toMarkdown({ title, messages }: Transcript): string {
  const parts = messages.map((message) => {
    const heading =
      message.role === 'human'
        ? `## ${exportText.question}`
        : `## ${exportText.answer}（${message.chat_model || message.model}）`
    return [heading, getMessageText(message).trim(), getStatusNote(message)].filter(Boolean).join('\n\n')
  })
  const head = `# ${title.replace(/\s+/g, ' ')}\n\n> ${exportText.from(formatToday())}`
  return `${[head, ...parts].join('\n\n')}\n`
}

/** All fields under the names of the product's calls; `version` counts changes of this format. */
export function toJson({ title, session, messages }: Transcript): string {
  const file = {
    format: 'wenqu-conversation',
    version: 1,
    exported_at: new Date().toISOString(),
    title,
    session,
    messages,
  }
  return `${JSON.stringify(file, null, 2)}\n`
}
