import type { Place } from '#contract/readings.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Input } from './reading/input.ts'
import { isControl, isWideText } from './text/encoding.ts'

/** A file in a format: its bytes, and what its name and its sender say of it. */
export type Document = {
  input: Input
  name: string
  /** Number of archives and mails that the file lies within. */
  depth: number
  /** A web page is read without what surrounds its article. */
  article: boolean
  /** Reads a PNG; absent where pictures are not read. */
  recognise?: (png: Uint8Array, place: Place) => Promise<string>
}

const BY_EXTENSION = new Map(
  Object.entries({
    htm: 'html',
    xhtml: 'html',
    xht: 'html',
    mhtml: 'eml',
    mht: 'eml',
    markdown: 'md',
    mdx: 'md',
    tsv: 'csv',
    tab: 'csv',
    jsonl: 'json',
    ndjson: 'json',
    geojson: 'json',
    xlsm: 'xlsx',
    xltx: 'xlsx',
    docm: 'docx',
    dotx: 'docx',
    pptm: 'pptx',
    ppsx: 'pptx',
    potx: 'pptx',
    dot: 'doc',
    xlt: 'xls',
    pps: 'ppt',
    ott: 'odt',
    ots: 'ods',
    otp: 'odp',
    et: 'xls',
    wps: 'doc',
    dps: 'ppt',
    ssa: 'ass',
    pot: 'po',
    xlf: 'xliff',
    text: 'txt',
    log: 'txt',
  }),
)
const KNOWN = new Set(
  'csv html md txt json srt vtt ass po xliff strings stringsdict arb ipynb eml rtf'.split(' '),
)
const BY_TYPE = new Map(
  Object.entries({
    'text/html': 'html',
    'application/xhtml+xml': 'html',
    'text/markdown': 'md',
    'text/csv': 'csv',
    'text/tab-separated-values': 'csv',
    'application/json': 'json',
    'text/vtt': 'vtt',
    'application/x-subrip': 'srt',
    'message/rfc822': 'eml',
    'application/x-ipynb+json': 'ipynb',
    'application/rtf': 'rtf',
    'text/rtf': 'rtf',
    'text/x-gettext-translation': 'po',
    'text/x-ssa': 'ass',
    'application/x-xliff+xml': 'xliff',
  }),
)
/** Extension → the language of its code block. */
const LANGUAGES = new Map(
  Object.entries({
    js: 'js',
    mjs: 'js',
    cjs: 'js',
    jsx: 'jsx',
    ts: 'ts',
    mts: 'ts',
    tsx: 'tsx',
    py: 'python',
    rb: 'ruby',
    go: 'go',
    rs: 'rust',
    java: 'java',
    kt: 'kotlin',
    swift: 'swift',
    c: 'c',
    h: 'c',
    cc: 'cpp',
    cpp: 'cpp',
    hpp: 'cpp',
    cs: 'csharp',
    php: 'php',
    pl: 'perl',
    lua: 'lua',
    r: 'r',
    jl: 'julia',
    scala: 'scala',
    dart: 'dart',
    ex: 'elixir',
    hs: 'haskell',
    clj: 'clojure',
    sh: 'bash',
    bash: 'bash',
    zsh: 'bash',
    ps1: 'powershell',
    bat: 'bat',
    sql: 'sql',
    css: 'css',
    scss: 'scss',
    less: 'less',
    vue: 'vue',
    svelte: 'svelte',
    xml: 'xml',
    xsd: 'xml',
    svg: 'xml',
    stringsdict: 'xml',
    yaml: 'yaml',
    yml: 'yaml',
    toml: 'toml',
    ini: 'ini',
    conf: 'ini',
    properties: 'ini',
    env: 'ini',
    diff: 'diff',
    patch: 'diff',
    tex: 'latex',
    proto: 'proto',
    graphql: 'graphql',
    tf: 'hcl',
    gradle: 'groovy',
    groovy: 'groovy',
    m: 'objectivec',
    asm: 'asm',
    dockerfile: 'dockerfile',
    makefile: 'makefile',
    cmake: 'cmake',
    vb: 'vb',
    pas: 'pascal',
    f90: 'fortran',
    sol: 'solidity',
  }),
)
const RECORDING = /^(mp3|wav|m4a|aac|flac|ogg|oga|opus|wma|amr|webm|mp4|mov|mkv|avi)$/

const CONTAINER = /^(pdf|docx?|xlsx?|pptx?|od[tsp]|epub|zip|msg|png|jpe?g)$/

const getExtension = (name: string): string =>
  (/\.([^./\\]+)$/.exec(name)?.[1] ?? name.replace(/^.*[/\\]/, '')).toLowerCase()

/** Returns the language of a source file by its name. */
export const getLanguage = (name: string): string | undefined => LANGUAGES.get(getExtension(name))

/** A file's first bytes in hex → its format; within a container its members decide. */
const MAGIC: [RegExp, string][] = [
  [/^504b(0304|0506|0708)/, 'zip'],
  [/^d0cf11e0a1b11ae1/, 'cfb'],
  // png, jpeg, gif, tiff, webp; avif and heic by their brand
  [/^(89504e47|ffd8ff|47494638|49492a00|4d4d002a|52494646.{8}57454250)/, 'image'],
  [/^.{8}66747970(61766966|61766973|6865(6963|6978|696d|6973|7663|7678)|6d696631|6d736631)/, 'image'],
  [/^424d.{8}00000000/, 'image'],
  // jpeg 2000, jpeg xl, ico
  [/^(0000000c(6a502020|4a584c20)|ff0a|000001000[1-9]00)/, 'image'],
  // mp3, aac, wav, avi, flac, ogg, mp4, webm, amr
  [/^(494433|fff[1239ab]|ffe[23]|52494646.{8}(57415645|41564920)|664c6143|4f676753)/, 'recording'],
  [/^(.{8}66747970|1a45dfa3|2321414d52)/, 'recording'],
  // 7z, rar, gzip, bzip2, xz, programs, databases, fonts
  [
    /^(377abcaf|52617221|1f8b|425a683|fd377a58|7f454c46|4d5a.{58}|cafebabe|53514c6974652066|774f4646|00010000)/,
    'binary',
  ],
]
const HEAD_BYTES = 8192

/**
 * Tells the format of a document by its first bytes, then by its name, then by its sender's type: a name that lies is not
 * believed. The formats within `zip` and `cfb` (the container of old Office files) are told apart later.
 */
export function detectFormat(input: Input, name: string, type?: string): string {
  const head = input.read(0, HEAD_BYTES)
  if (head.length === 0) throw new AppError('document_empty')
  const start = head.subarray(0, 1024).toString('latin1')
  if (/^\s*\{\\rtf/.test(start)) return 'rtf'
  const extension = getExtension(name)
  // Some programs write lines of their own before a PDF.
  if (/^(\xEF\xBB\xBF)?\s*%PDF-/.test(start) || (extension === 'pdf' && start.includes('%PDF-'))) return 'pdf'
  const magic = MAGIC.find(([pattern]) => pattern.test(head.toString('hex', 0, 32)))?.[1]
  if (magic === 'zip' || magic === 'cfb' || magic === 'image') return magic
  if (isBinary(head)) {
    if (magic === 'recording' || RECORDING.test(extension)) return 'recording'
    // A container that lost its beginning is damaged.
    throw new AppError(CONTAINER.test(extension) && !magic ? 'document_damaged' : 'document_unsupported')
  }
  const formatByName = BY_EXTENSION.get(extension) ?? extension
  if (KNOWN.has(formatByName)) return formatByName
  if (LANGUAGES.has(extension)) return 'code'
  const formatByType = BY_TYPE.get(type?.split(';')[0]?.trim().toLowerCase() ?? '')
  if (formatByType) return formatByType
  if (/^\s*(<!doctype html|<html[\s>])/i.test(start)) return 'html'
  return 'txt'
}

/** Tells whether a file that is not UTF-16, UTF-32 or ISO 2022 has control characters beyond those of text. */
function isBinary(head: Buffer): boolean {
  if (/^(fffe|feff|0000feff)/.test(head.subarray(0, 4).toString('hex'))) return false
  const control = head.filter(isControl).length
  // In UTF-16 the halves of many Chinese characters are control characters.
  if (head.includes(0) || control > head.length / 20) return !isWideText(head)
  return false
}
