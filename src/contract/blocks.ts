import { z } from 'zod'
import { modelId } from '#contract/ids/ids.ts'
import { createdAt } from '#contract/dates/dates.ts'
import type { Calls } from './call.ts'
import { pageNumber, paginated, pageSize } from '#contract/paging.ts'
import type { Place } from './readings.ts'

const BLOCKS_PAGE_SIZE = 20
/** Most pieces in one answer of GET /block/{id}/detail. */
export const MAX_DETAIL_PIECES = 200
/** The part of the product that a file or link is for. */
const blockChannel = z
  .string()
  .regex(/^[a-z][a-z_]{0,19}$/)
  .describe('用途：产品的哪个部分，如 zhiku')
/** Accepts capitals, too. */
export const md5 = z
  .string()
  .toLowerCase()
  .regex(/^[0-9a-f]{32}$/)
  .describe('文件的 MD5')

/** `Place` of readings.ts. */
export const piecePlace = z
  .object({
    page: z.int().optional().describe('页码，从 1 起'),
    slide: z.int().optional().describe('幻灯片的页码'),
    sheet: z.string().optional().describe('工作表的名称'),
    range: z.string().optional().describe('单元格的范围，如 A2:F101'),
    start_ms: z.int().optional().describe('开始的时间，毫秒'),
    end_ms: z.int().optional().describe('结束的时间，毫秒'),
    heading: z.array(z.string()).optional().describe('所在的各级标题'),
    line: z.int().optional().describe('行号'),
    entry: z.string().optional().describe('压缩包或邮件里的条目'),
  })
  .describe('位置') satisfies z.ZodType<Place>

/** `ReadingReport` of readings.ts: the parts of a document that were read, and those that were not. */
const readingReport = z.object({
  unit: z
    .enum(['page', 'slide', 'sheet', 'section', 'file', 'image'])
    .describe('计数的单位：page 页、slide 幻灯片、sheet 工作表、section 章节、file 文件、image 图片'),
  total: z.int().describe('全部的数量'),
  read: z.int().describe('读出的数量'),
  blank: z.array(z.int()).describe('空白的页的页码'),
  garbled: z.array(z.int()).describe('乱码的页的页码'),
  recognised: z.array(z.int()).describe('识别出文字的页的页码'),
  garble: z.number().describe('乱码的比例，0 到 1'),
  encoding: z.string().optional().describe('文字编码'),
  skipped: z
    .array(
      z.object({
        what: z.string().describe('略过了什么'),
        reason: z.string().describe('略过的原因的代码'),
        message: z.string().describe('略过的原因，中文说明'),
        place: piecePlace.optional(),
      }),
    )
    .describe('略过的部分，和文件里隐藏而已读取的部分'),
})

/** A document that can be asked about: an uploaded file or a web page. */
const block = z.object({
  id: z.uuid().describe('文档的编号'),
  name: z.string().describe('文档的名称'),
  type: z.string().describe('媒体类型（MIME）'),
  size: z.int().describe('文件的字节数'),
  md5: z.string().nullable().describe('文件的 MD5；网页则为空'),
  url: z.string().describe('文件或网页的地址'),
  channel: z.string().describe('用途：产品的哪个部分，如 zhiku'),
  status: z
    .union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)])
    .describe('状态：0 等待、1 读取中、2 完成、3 失败'),
  /** Chinese reason of status 3, or of pages that could not be read again. */
  error: z.string().nullable().describe('出错的原因；没有出错则为空'),
  /** Present while the document is read: pages, as far as the format has them. */
  progress: z
    .object({
      done: z.int().describe('已读的页数'),
      total: z.int().nullable().describe('全部的页数；不知道则为空'),
      seconds_left: z.int().nullable().describe('预计还要多少秒；不知道则为空'),
      delay: z.string().nullable().describe('推迟的原因，稍后自动重试；没有推迟则为空'),
    })
    .nullable()
    .describe('读取的进度；不在读取则为空'),
  visible: z.boolean().describe('是否为模型能看见的图片'),
  pieces: z.int().describe('已读出的片段数'),
  chars: z.int().describe('已读出的字符数'),
  format: z.string().nullable().describe('识别出的格式，如 pdf、docx；还没有读取则为空'),
  report: readingReport.nullable().describe('读取报告；还没有则为空'),
  created_at: createdAt,
})
export type Block = z.output<typeof block>

const blockPiece = z.object({
  n: z.int().describe('片段的序号，从 1 起'),
  text: z.string().describe('片段的内容，Markdown'),
  place: piecePlace,
})
export type BlockPiece = z.output<typeof blockPiece>

const blockSummary = z.object({
  summary: z.string().nullable().describe('摘要；还没有写则为空'),
  questions: z.array(z.string()).describe('可以问的问题'),
})
export type BlockSummary = z.output<typeof blockSummary>

const offeredSummary = blockSummary.extend({
  cost: z.number().nullable().describe('写一份摘要大约的费用，单位金币；已经写好或不能写则为空'),
})
export type OfferedSummary = z.output<typeof offeredSummary>

const blockDetail = block.extend({
  lang: z.string().nullable().describe('请求的语言；没有则为空，片段用文档自己的语言'),
  items: z.array(blockPiece).describe('片段'),
  has_more: z.boolean().describe('后面是否还有片段'),
})
export type BlockDetail = z.output<typeof blockDetail>

const blockData = z.object({ data: block.describe('文档') })
const params = z.object({ id: z.uuid().describe('文档的编号') })

export const blockCalls = {
  'POST /api/block': {
    summary: '保存已上传的文件并开始读取；自己已经上传过的同一个文件直接返回',
    auth: 'user',
    body: z.object({
      md5,
      name: z.string().trim().min(1).max(255).describe('文件名'),
      type: z.string().max(200).default('').describe('媒体类型（MIME）；空为按文件名'),
      size: z.int().min(0).max(1_099_511_627_776).describe('文件的字节数'),
      /** `{base_url}{prefix}{path}` of the credential that it was uploaded with. */
      url: z.string().min(1).max(1_000).describe('上传后的地址：凭证的 base_url、prefix 与路径'),
      channel: blockChannel,
    }),
    response: blockData,
    errors: [
      'file_missing',
      'file_damaged',
      'file_too_large',
      'upload_busy',
      'storage_unavailable',
      'rate_limited',
    ],
  },
  'GET /api/blocks': {
    summary: '自己的文件和链接，新的在前',
    auth: 'user',
    query: z.object({
      channel: z.string().min(1).max(120).optional().describe('只要这个用途的'),
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
    query: z.object({
      url: z.string().trim().min(1).max(2_000).describe('网页的地址'),
      channel: blockChannel,
    }),
    response: blockData,
    errors: [
      'link_refused',
      'link_failed',
      'link_unanswered',
      'link_too_large',
      'link_busy',
      'upload_busy',
      'storage_unavailable',
      'rate_limited',
    ],
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
      lang: z.string().min(1).max(20).optional().describe('希望的语言'),
      after: z.int().min(0).max(10_000_000).default(0).describe('只要这个序号的片段之后的'),
      size: pageSize(MAX_DETAIL_PIECES),
    }),
    response: z.object({ data: blockDetail.describe('文档和这一段的内容') }),
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
      model: modelId.optional().describe('识别图片的模型的 ID，按价收费；没有时用免费的文字识别'),
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
  'GET /api/block/{id}/summary': {
    summary: '已经写好的摘要；还没有则是写一份大约的费用，不收费',
    auth: 'user',
    params,
    query: z.object({ model: modelId.optional().describe('写摘要的模型的 ID；没有或不可用时用默认模型') }),
    response: z.object({ data: offeredSummary.describe('摘要和问题，或写它们大约的费用') }),
    errors: ['not_found', 'block_reading', 'block_failed', 'model_unavailable'],
  },
  'POST /api/block/{id}/summary': {
    summary: '写文件的摘要和三个可以问的问题：只写一次并收费，之后直接返回',
    auth: 'user',
    params,
    /** `model` writes it; the default one when absent or unusable. */
    body: z.object({ model: modelId.nullish() }),
    response: z.object({ data: blockSummary.describe('摘要和问题') }),
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
