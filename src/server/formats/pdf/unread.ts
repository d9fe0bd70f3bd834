import type { PDFDocumentProxy } from 'pdfjs-dist'
import type { Output } from '../reading/output.ts'

/** Facts that pdf.js finds out about a document. */
export type PdfInfo = { Title?: unknown; IsXFAPresent?: boolean; IsAcroFormPresent?: boolean }

/** Reports parts of a document that its pages do not show: attached files, hidden layers, and a form in XML (XFA) that could not be read. */
export async function reportUnread(pdf: PDFDocumentProxy, info: PdfInfo, output: Output): Promise<void> {
  if (info.IsXFAPresent && !info.IsAcroFormPresent && !pdf.isPureXfa) output.skip('unsupported', 'XFA 表单')
  const attachments = await pdf.getAttachments().catch(() => null)
  for (const { filename } of attachments?.values() ?? []) output.skip('unsupported', `附件 ${filename}`)
  const layers = await pdf.getOptionalContentConfig().catch(() => undefined)
  for (const [, layer] of (layers ?? []) as Iterable<[string, { visible: boolean; name?: string | null }]>)
    if (!layer.visible) output.skip('hidden', `图层 ${layer.name ?? ''}`.trim())
}
