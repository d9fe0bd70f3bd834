import { exportText } from '#web/text/export.ts'
import { getStatusNote, formatToday, type Transcript, getMessageText } from './transcript.ts'

/** The conversation as one Markdown text; what was written stays as it is. */
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

/** Every field as the calls of the product name it; `version` counts changes of this form. */
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
