import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { listStrings, takeStrings } from './literals.ts'
import { listJavascriptAssertions, listPythonAssertions } from './tests.ts'
import { indexFiles } from './assertion.ts'
import type { Assertion, Project } from './assertion.ts'
import { pdfjs, pdfminer, pdfplumber } from './pdf-projects.ts'
import { listCellTexts, listSentences } from '../readers/text.ts'

const read = (path: string): string => readFileSync(path, 'utf8')

/** Returns what a project's own reading of a file says, sentence by sentence and cell by cell. */
const listReading = (file: string, markdown: string): Assertion[] => [
  ...listSentences(markdown.replace(/\[author: [^\]]*\]:|SM590000/g, '')).map((text) => ({ file, text })),
  ...listCellTexts(markdown).map((text) => ({ file, text, isCell: true })),
]

const markitdown: Project = {
  name: 'markitdown',
  repository: 'https://github.com/microsoft/markitdown',
  folders: ['packages/markitdown/tests'],
  list(clone) {
    const tests = join(clone, 'packages/markitdown/tests')
    const find = indexFiles(tests, ['test_files/*.*'])
    const vectors = takeStrings(read(join(tests, '_test_vectors.py')), 'python')
    const general = vectors.code.slice(0, vectors.code.indexOf('DATA_URI_TEST_VECTORS'))
    const listed = general.split('FileTestVector(').flatMap((vector) => {
      const [file] = listStrings(vectors, vector).flatMap((text) => find(text) ?? [])
      if (!file) return []
      const [, wanted = '', unwanted = ''] = /must_include=\[(.*)must_not_include=(.*)/s.exec(vector) ?? []
      return [
        ...listStrings(vectors, wanted).map((text) => ({ file, text })),
        ...listStrings(vectors, unwanted).map((text) => ({ file, text, isAbsent: true })),
      ]
    })
    const programs = ['test_module_misc.py', 'test_pdf_tables.py', 'test_pdf_masterformat.py']
    const outputs = globSync(join(tests, 'test_files/expected_outputs/*.md')).flatMap((path) => {
      const file = find(basename(path).replace(/\.md$/, '.pdf'))
      return file ? listReading(file, read(path)) : []
    })
    return [
      ...listed,
      ...programs.flatMap((name) => listPythonAssertions(read(join(tests, name)), find)),
      ...outputs,
    ]
  },
  exclusions: [
    { file: /\.(wav|mp3|m4a)$/, reason: 'recordings are no documents' },
    { file: /\.jpe?g$/, reason: 'fields that its camera or a model writes about a picture' },
    { file: /masterformat/, text: /\\d/, reason: 'a pattern of its own' },
    { file: /\.pptx$/, text: /^5bda1dd6$/, reason: 'words of a picture, which its test asks of a model' },
    { file: /random\.bin$/, reason: 'no document' },
    { file: /\.docx$/, text: /^data:image/, reason: 'pictures are reported, not written out' },
    {
      file: /test_serp\.html$/,
      text: /bing\.com|\]\(https/,
      reason: 'its own decoding of the links of a search engine',
    },
    {
      file: /test_wikipedia\.html$/,
      text: /^(154 languages|move to sidebar)$/,
      reason: 'its choice of the article where the whole page is asked for',
    },
    {
      file: /test_outlook_msg/,
      text: /^(\*\*|#)/,
      reason: 'its English names of the fields of a mail, ours are Chinese',
    },
  ],
}

const mammoth: Project = {
  name: 'mammoth.js',
  repository: 'https://github.com/mwilliamson/mammoth.js',
  folders: ['test'],
  list: (clone) =>
    listJavascriptAssertions(
      read(join(clone, 'test/mammoth.tests.js')),
      indexFiles(clone, ['test/test-data/*.docx']),
      /convertToHtml|extractRawText/,
    ),
  exclusions: [{ file: /comments\.docx$/, text: /^Comment /, reason: 'its own heading of a comment' }],
}

const unstructured: Project = {
  name: 'unstructured',
  repository: 'https://github.com/Unstructured-IO/unstructured',
  folders: ['example-docs', 'test_unstructured', 'test_unstructured_ingest'],
  list(clone) {
    const find = indexFiles(clone, ['example-docs/**/*.*'])
    const constants = read(join(clone, 'test_unstructured/partition/test_constants.py'))
    const programs = globSync(join(clone, 'test_unstructured/partition/**/test_*.py'))
    const outputs = globSync(join(clone, 'test_unstructured_ingest/expected-structured-output/**/*.json'))
    return [
      ...programs.flatMap((path) => listPythonAssertions(read(path), find, [constants])),
      ...outputs.flatMap((path) => {
        const file = find(basename(path).replace(/\.json$/, ''))
        const elements = file ? (JSON.parse(read(path)) as { text?: string }[]) : []
        return elements.flatMap(({ text }) =>
          listSentences(text ?? '').map((sentence) => ({ file: file ?? '', text: sentence })),
        )
      }),
    ]
  },
  exclusions: [
    { file: /\.(jpe?g|png|tiff|bmp|heic)$/, reason: 'pictures, whose OCR differs from engine to engine' },
    {
      file: /./,
      text: /kwarg|^(?:message\/rfc822|[abd]\/[abe]|[\w-]+\.\w{2,4}|;|Exactly one of|Encrypted email detected)$|must be specified|^<\/|Unnamed: 1|Image with hash|<inline-image/,
      reason: 'names of its own structures',
    },
    { file: /./, text: /^\d{4}-\d\d-\d\dT/, reason: 'its own writing of dates' },
    { file: /fake-html-cp1252/, text: /[čńĺˇă]/, reason: 'a wrong encoding that its test asks for' },
    { file: /mime-different-plain-html/, text: /text\/plain/, reason: 'the other version of the same mail' },
    { file: /handbook-1p/, text: /^apter/, reason: 'a sentence that its limit of length cuts' },
    {
      file: /./,
      text: /^This is Clearly a Title$|trusttheforceluke/,
      reason: 'values that its tests put in',
    },
    {
      file: /(docx-tables|incomplete-rows|hdrftr)\.docx$/,
      text: /^(?:cell1 )?a b c d e|^Data More Dato/,
      reason: 'cells of tables in one line, merged ones once',
    },
    { file: /mime-.*\.eml$/, text: /^\d{10}@/, reason: 'numbers of mails' },
    { file: /multi-column-2p/, text: /^(?:\S ){3}/, reason: 'turned text that it reads backwards' },
    {
      file: /./,
      text: /^(?:application|text|image)\/|^[a-z_]+(?:\.\w+)?$|^[A-Z][A-Za-z]+$/,
      reason: 'names of its own structures',
    },
  ],
}

const docling: Project = {
  name: 'docling',
  repository: 'https://github.com/docling-project/docling',
  folders: ['tests/data'],
  list(clone) {
    const find = indexFiles(clone, ['tests/data/*/sources/**/*.*'])
    return globSync(join(clone, 'tests/data/{[!o]*,o[!c]*}/groundtruth/*.md')).flatMap((path) => {
      const name = basename(path).replace(/(\.tesseract\.full_page)?\.md$/, '')
      const [file] = [name, `${name}.pdf`].flatMap((name) => find(name) ?? [])
      return file ? listReading(file, read(path)) : []
    })
  },
  exclusions: [
    { file: /\.(ebc|wav|mp3|boxnote)$/, reason: 'no format of the product' },
    { file: /./, text: /^(?:Line|Bar|Scatter|Other) chart$/, reason: 'its own words for a chart' },
    { file: /./, text: /^\$\$/, reason: 'formulas, which every program writes as another LaTeX' },
    { file: /xlsx_07_gap/, text: /^\d+$/, reason: 'numbers without their format' },
    { file: /docx_list/, text: /^\d\.\d\.$/, reason: 'a dot after the number of a list item' },
    { file: /table_06\.html$/, reason: 'a table within a table, in one line' },
    {
      file: /redp5110_sampled\.pdf$/,
      text: /\. \. \. |SM590000|^16 18$/,
      reason: 'rows of a table of contents that it joins',
    },
    {
      file: /normal_4pages/,
      text: /^## .*\d$|^보험환경의|^이러한 기후변화나/,
      reason: 'columns that it mixes',
    },
    { file: /odf_presentation_01/, text: /^# Slide\d$/, reason: 'its own name of a slide' },
    { file: /table_mislabeled_as_picture/, text: /^y y$/, reason: 'mistakes of its OCR' },
    {
      file: /\/(xbrl|jats|uspto|latex)\/sources\//,
      reason: 'XML and TeX of a trade, which the product reads as the source that it is',
    },
  ],
}

/** In the order of the report. */
export const PROJECTS = [markitdown, mammoth, pdfminer, pdfjs, pdfplumber, unstructured, docling]
