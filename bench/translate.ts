// Measures translations: `npm run bench:translate`, in part with `-- document`, `-- text [words] [rounds]`, `-- formats [data]`.
// document, text: a document of 300 pages and a text of 10,000 words through the real app, with a scripted model.
// formats: documents are extracted and rebuilt; each result is converted to PDF where LibreOffice is installed:
// apt-get install --no-install-recommends libreoffice-{writer,calc,impress}.
import { measureDocument } from './translate/document.ts'
import { runRoundTrip } from './translate/round-trip.ts'
import { measureText } from './translate/text.ts'

const [part, of, rounds = '10'] = process.argv.slice(2)
if (part === undefined || part === 'document') await measureDocument()
if (part === undefined || part === 'text') await measureText(Number(of ?? 10_000), Number(rounds))
if (part === undefined || part === 'formats') await runRoundTrip(of ?? '../shared/data')
