import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listStrings, takeStrings } from './literals.ts'
import { listJavascriptAssertions, listPythonAssertions } from './tests.ts'
import { indexFiles } from './assertion.ts'
import type { Project } from './assertion.ts'

const read = (path: string): string => readFileSync(path, 'utf8')

export const pdfminer: Project = {
  name: 'pdfminer.six',
  repository: 'https://github.com/pdfminer/pdfminer.six',
  folders: ['samples', 'tests'],
  list(clone) {
    const find = indexFiles(clone, ['samples/**/*.pdf'])
    const program = read(join(clone, 'tests/test_highlevel_extracttext.py'))
    const source = takeStrings(program, 'python')
    const [table = ''] = /test_strings = \{[^}]*\}/.exec(source.code) ?? []
    const texts = listStrings(source, table)
    return texts.flatMap((name, at) => {
      const file = name.endsWith('.pdf') ? find(name) : undefined
      return file ? [{ file, text: texts[at + 1] ?? '' }] : []
    })
  },
  exclusions: [{ file: /./, text: /\(cid:\d+\)/, reason: 'its word for a character that it cannot read' }],
}

export const pdfjs: Project = {
  name: 'pdf.js',
  repository: 'https://github.com/mozilla/pdf.js',
  folders: ['test/unit', 'test/integration', 'test/pdfs'],
  list: (clone) =>
    listJavascriptAssertions(
      read(join(clone, 'test/unit/api_spec.js')),
      indexFiles(clone, ['test/pdfs/*.pdf']),
      /getTextContent/,
    ),
  exclusions: [
    {
      file: /./,
      text: /^(ltr|rtl|serif|Document|Sect|P|content|EN-US|Root|p\d+R_mc\d+|endMarkedContent)$/,
      reason: 'names of its own structures',
    },
    { file: /pr6531_2\.pdf$/, reason: 'files with a password' },
  ],
}

export const pdfplumber: Project = {
  name: 'pdfplumber',
  repository: 'https://github.com/jsvine/pdfplumber',
  folders: ['tests'],
  list(clone) {
    const find = indexFiles(clone, ['tests/pdfs/*.pdf'])
    const programs = globSync(join(clone, 'tests/test_*.py'))
    const scotus = find('scotus-transcript-p1.pdf')
    const comparison = read(join(clone, 'tests/comparisons/scotus-transcript-p1.txt'))
    return [
      ...programs.flatMap((path) => listPythonAssertions(read(path), find)),
      ...(scotus ? [{ file: scotus, text: comparison }] : []),
    ]
  },
  exclusions: [
    {
      file: /./,
      text: /^(?:[A-Za-z][\w,-]*|[A-Z]+\+SimSun,Regular|D:\d+Z00'00')$/,
      reason: 'names of its own structures',
    },
    { file: /duplicate-chars/, text: /微微|名名/, reason: 'characters that are printed twice' },
    { file: /pdffill-demo/, text: /^char,/, reason: 'names of its own structures' },
    { file: /./, text: /^(?:\(sdfsd\)\?|\\s\+)$/, reason: 'patterns of its search' },
    { file: /mcid_example/, text: /^\w+: /, reason: 'names of its own structures' },
    {
      file: /scotus/,
      text: /SUPREME COURT OF THE UNITED STATES -|^: No|^Washington.*2009$|APPEARANCES: STEVEN|^Angeles/,
      reason: 'paragraphs of its structure, without the numbers of lines',
    },
    { file: /image_structure/, reason: 'descriptions of pictures in the structure of a PDF' },
    {
      file: /line-char-render-example|issue-192-example/,
      reason: 'its options for the direction of writing',
    },
    { file: /issue-987-test/, text: /\|/, reason: 'words joined by the test itself' },
  ],
}
