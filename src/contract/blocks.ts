import { z } from 'zod'
import { moment } from '#contract/dates/dates.ts'
import type { Calls } from './call.ts'
import { pageNumber, paginated, pageSize } from '#contract/paging.ts'
import type { Place } from './readings.ts'

const BLOCKS_PAGE_SIZE = 20
/** Most pieces in one answer of GET /block/{id}/detail. */
export const MAX_DETAIL_PIECES = 200
/** The part of the product that a file or link is for. */
const blockChannel = z.string().regex(/^[a-z][a-z_]{0,19}$/)
/** Accepts capitals, too. */
export const md5 = z
  .string()
  .toLowerCase()
  .regex(/^[0-9a-f]{32}$/)

/** `Place` of readings.ts. */
export const piecePlace = z.object({
  page: z.int().optional(),
  slide: z.int().optional(),
  sheet: z.string().optional(),
  /** Cells: `A2:F101`. */
  range: z.string().optional(),
  start_ms: z.int().optional(),
  end_ms: z.int().optional(),
  heading: z.array(z.string()).optional(),
  line: z.int().optional(),
  entry: z.string().optional(),
}) satisfies z.ZodType<Place>

/** `ReadingReport` of readings.ts: the parts of a document that were read, and those that were not. */
const readingReport = z.object({
  unit: z.enum(['page', 'slide', 'sheet', 'section', 'file', 'image']),
  total: z.int(),
  read: z.int(),
  blank: z.array(z.int()),
  garbled: z.array(z.int()),
  recognised: z.array(z.int()),
  /** Share, 0 to 1. */
  garble: z.number(),
  encoding: z.string().optional(),
  skipped: z.array(
    z.object({ what: z.string(), reason: z.string(), message: z.string(), place: piecePlace.optional() }),
  ),
})

/** A document that can be asked about: an uploaded file or a web page. */
const block = z.object({
  id: z.uuid(),
  name: z.string(),
  type: z.string(),
  /** Bytes. */
  size: z.int(),
  /** Null for a web page. */
  md5: z.string().nullable(),
  /** Address of the uploaded file, for its owner, or of the web page. */
  url: z.string(),
  channel: z.string(),
  /** 0 waits to be read, 1 is being read, 2 is read, 3 could not be read (specification section 4). */
  status: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
  /** Chinese reason of status 3, or of pages that could not be read again. */
  error: z.string().nullable(),
  /** Present while the document is read: pages, as far as the format has them. */
  progress: z
    .object({ done: z.int(), total: z.int().nullable(), seconds_left: z.int().nullable() })
    .nullable(),
  /** Pieces and characters read so far. */
  pieces: z.int().describe('片段数'),
  chars: z.int(),
  /** The detected format, whatever the name says: `pdf`, `docx`, `csv` … Null until the document is read. */
  format: z.string().nullable(),
  report: readingReport.nullable(),
  created_at: moment,
})
export type Block = z.output<typeof block>

const blockPiece = z.object({
  /** The piece's place in the document, from 1. */
  n: z.int(),
  /** Markdown. */
  text: z.string(),
  place: piecePlace,
})
export type BlockPiece = z.output<typeof blockPiece>

const blockSummary = z.object({
  /** Null until it has been written. */
  summary: z.string().nullable(),
  /** Questions to ask about the document. */
  questions: z.array(z.string()),
})
export type BlockSummary = z.output<typeof blockSummary>

const blockDetail = block.extend({
  /** The requested language; pieces are in the document's own. */
  lang: z.string().nullable(),
  items: z.array(blockPiece),
  /** There are pieces behind the last one. */
  has_more: z.boolean(),
})
export type BlockDetail = z.output<typeof blockDetail>

const blockData = z.object({ data: block })
const params = z.object({ id: z.uuid() })

export const blockCalls = {
  'POST /api/block': {
    summary: '保存已上传的文件并开始读取；自己已经上传过的同一个文件直接返回',
    auth: 'user',
    body: z.object({
      md5,
      name: z.string().trim().min(1).max(255),
      /** The media type; derived from the name when empty. */
      type: z.string().max(200).default(''),
      size: z.int().min(0).max(1_099_511_627_776),
      /** `{base_url}{prefix}{path}` of the credential that it was uploaded with. */
      url: z.string().min(1).max(1_000),
      channel: blockChannel,
    }),
    response: blockData,
    errors: ['file_missing', 'file_damaged', 'file_too_large', 'upload_busy', 'rate_limited'],
  },
  'GET /api/blocks': {
    summary: '自己的文件和链接，新的在前',
    auth: 'user',
    query: z.object({
      channel: z.string().min(1).max(120).optional(),
      page: pageNumber,
      size: pageSize(BLOCKS_PAGE_SIZE),
    }),
    response: paginated(block),
  },
  'GET /api/block/md5/{md5}': {
    summary: '自己已经上传过的同一个文件',
    auth: 'user',
    params: z.object({ md5 }),
    query: z.object({ channel: blockChannel }),
    response: blockData,
    errors: ['not_found'],
  },
  'GET /api/block/link/extract': {
    summary: '读取一个网页',
    auth: 'user',
    query: z.object({ url: z.string().trim().min(1).max(2_000), channel: blockChannel }),
    response: blockData,
    errors: ['link_refused', 'link_failed', 'link_too_large', 'link_busy', 'upload_busy', 'rate_limited'],
  },
  'GET /api/block/{id}': {
    summary: '一个文件或网页：读取的状态、进度和报告',
    auth: 'user',
    params,
    response: blockData,
    errors: ['not_found'],
  },
  'GET /api/block/{id}/detail': {
    summary: '读出的内容，从指定的段落之后开始',
    auth: 'user',
    params,
    query: z.object({
      lang: z.string().min(1).max(20).optional(),
      /** Number of the last piece that the caller has. */
      after: z.int().min(0).max(10_000_000).default(0),
      size: pageSize(MAX_DETAIL_PIECES),
    }),
    response: z.object({ data: blockDetail }),
    errors: ['not_found', 'block_reading', 'block_failed'],
  },
  'POST /api/block/{id}/cancel': {
    summary: '停止读取，已读出的内容保留',
    auth: 'user',
    params,
    response: blockData,
    errors: ['not_found'],
  },
  'POST /api/block/{id}/retry': {
    summary: '重新读取：失败或停止后从读完的部分继续，指定页码时只重读这些页',
    auth: 'user',
    params,
    body: z.object({
      /** Pages of a PDF to read again, each from its picture; the rest stays. */
      pages: z.array(z.int().min(1).max(100_000)).min(1).max(2_000).optional().describe('要重新读取的页码'),
      /** The model that reads pictures: one with `vision`, at its price; when absent the server's OCR, free of charge. */
      model: z.string().min(1).max(120).optional(),
    }),
    response: blockData,
    errors: [
      'not_found',
      'block_reading',
      'model_not_found',
      'model_unavailable',
      'content_unsupported',
      'rate_limited',
    ],
  },
  'POST /api/block/{id}/summary': {
    summary: '文件的摘要和三个可以问的问题：只写一次并收费，之后直接返回',
    auth: 'user',
    params,
    /** `model` writes it; the default one when absent or unusable. */
    body: z.object({ model: z.string().min(1).max(120).nullish() }),
    response: z.object({ data: blockSummary }),
    errors: ['not_found', 'block_reading', 'block_failed', 'insufficient_balance', 'rate_limited'],
  },
  'DELETE /api/block/{id}': {
    summary: '删除一个文件或网页，以及读出的内容',
    auth: 'user',
    params,
    response: 'none',
    errors: ['not_found'],
  },
} as const satisfies Calls
