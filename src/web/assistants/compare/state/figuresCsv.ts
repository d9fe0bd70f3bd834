import { request } from '#web/core/api.ts'
import { toFileName } from '#web/conversations/export/export.ts'
import { toCsv } from '#web/markdown/markdown.tsx'
import { compareText } from '#web/text/compare/compare.ts'
import { download } from '#web/ui/download.ts'
import { type MessagesPage } from './comparison.ts'
import { toChatbot } from './comparisonStore.ts'
import { getFigures } from './figures.ts'

const PAGE_SIZE = 100

/** Saves the times, tokens and cost of every answer of a comparison as CSV, one row for each answer. Throws ApiError. */
export async function exportFigures(sessId: string, getName: (model: string) => string): Promise<void> {
  const pages: MessagesPage[] = []
  for (let before: string | undefined; ;) {
    const query = { chatbot: toChatbot(sessId), size: PAGE_SIZE, ...(before ? { before } : {}) }
    const page = await request('GET /api/compare/messages', { query })
    pages.unshift(page)
    before = listQuestions([page])[0]?.chat_id
    if (!page.has_more || !before) break
  }
  const title = pages.at(-1)?.session?.title || compareText.title
  download(new Blob([toFiguresCsv(pages, getName)], { type: 'text/csv' }), toFileName(title, 'csv'))
}

/** The questions of these pages, each once, the oldest first. */
function listQuestions(pages: readonly MessagesPage[]) {
  const messages = pages.flatMap(({ groups }) => groups.flatMap((group) => group.messages))
  const questions = new Map(
    messages.filter(({ role }) => role === 'human').map((message) => [message.chat_id, message]),
  )
  return [...questions.values()].sort((a, b) => (a.created_at < b.created_at ? -1 : 1))
}

/** The figures as CSV; cells that a spreadsheet would take for formulas are marked as text. */
export function toFiguresCsv(pages: readonly MessagesPage[], getName: (model: string) => string): string {
  const votes = new Map(pages.flatMap((page) => page.votes.map((vote) => [vote.chat_id, vote.winner])))
  const rows = listQuestions(pages).flatMap((question, nth) =>
    pages.flatMap(({ groups }) =>
      groups.flatMap(({ model, messages }) =>
        messages
          .filter(({ role, chat_id }) => role === 'ai' && chat_id === question.chat_id)
          .map((answer) => {
            const { figures, status } = answer
            const winner = votes.get(question.chat_id)
            return [
              nth + 1,
              question.text.slice(0, 200),
              getName(model),
              compareText.csvStatus[status],
              figures?.first_text_ms,
              figures?.duration_ms,
              getFigures(answer)?.speed?.toFixed(1),
              figures?.input_tokens,
              figures?.output_tokens,
              figures?.amount,
              winner === undefined ? '' : toVoteWord(winner, model),
            ].map((cell) => String(cell ?? ''))
          }),
      ),
    ),
  )
  return toCsv([[...compareText.csvHeader], ...rows])
}

function toVoteWord(winner: string, model: string): string {
  if (winner === 'tie') return compareText.tie
  if (winner === 'none') return compareText.none
  return winner === model ? compareText.csvWon : compareText.csvLost
}
