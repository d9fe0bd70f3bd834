const KB = 1024
const MB = 1024 * KB
/** Larger files are sent in slices of this size (specification section 5). */
export const SLICE_BYTES = 50 * MB
/** Avatars and logos are squares of this many pixels. */
export const AVATAR_PIXELS = 256
/** Largest text and spreadsheet files, on every level (specification section 5). */
const MAX_TEXT_BYTES = 2 * MB

/** Messages for errors that the browser itself finds (specification section 8). */
export const uploadMessages = {
  credential_failed: '获取上传凭证失败，请重试',
  upload_failed: '文件上传失败，请重试',
  save_failed: '文件保存失败，请重试',
  unfinished: '有未完成的任务正在处理，请稍候',
  text_too_large: '纯文本/表格文件大小不能超过2M',
  empty: '文件是空的，请换一个文件',
  storage_full: '文件空间已满，请删除不用的文件，或提升用户等级后再上传',
  unsaved: '上传后没有保存的文件太多，请先完成已有的上传，或明天再试',
} as const

/** Messages in place of a block's preview, by state (specification section 8). */
export const blockMessages = {
  reading: '文件正在读取识别中，请稍后再试',
  failed: '文件读取失败',
  detail_failed: '获取内容详情失败',
} as const

type Level = `pro-${0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9}`
type LevelLimit = {
  name: string
  max_mb: number
  audio_mb: number
  /** All files that are saved. */
  storage_mb: number
  /** Uploads that are not saved: they are deleted after a day. */
  unsaved: { files: number; mb: number }
}

/** Limits by kind of membership. Specification section 5 gives free accounts none for audio and none for all files together. */
const LEVEL_LIMITS = {
  free: { name: '普通用户', max_mb: 50, audio_mb: 50, storage_mb: 1024, unsaved: { files: 40, mb: 200 } },
  geek: { name: '极客会员', max_mb: 100, audio_mb: 50, storage_mb: 10_240, unsaved: { files: 60, mb: 500 } },
  professional: {
    name: '专业会员',
    max_mb: 300,
    audio_mb: 100,
    storage_mb: 51_200,
    unsaved: { files: 100, mb: 1_500 },
  },
  business: {
    name: '企业会员',
    max_mb: 1024,
    audio_mb: 200,
    storage_mb: 204_800,
    unsaved: { files: 200, mb: 4_096 },
  },
} as const satisfies Record<string, LevelLimit>

/** Levels are a kind of membership by month, quarter and year; 0 is none. */
function getLevelLimit(level: Level): LevelLimit {
  const number = Number(level.slice('pro-'.length))
  if (number === 0) return LEVEL_LIMITS.free
  const { geek, professional, business } = LEVEL_LIMITS
  return [geek, professional, business][(number - 1) % 3]!
}

const MARKDOWN = /\.(md|markdown|mdown|mkd)$/i
const TEXT_TYPE = /^text\/|^application\/(json|xml|x-ndjson|yaml|x-yaml|toml|javascript|x-sh|x-subrip)$/
const TEXT_NAME =
  /\.(txt|md|markdown|mdown|mkd|json|jsonl|xml|yaml|yml|toml|ini|log|srt|vtt|csv|tsv|html?|tex|ipynb|py|js|mjs|ts|tsx|jsx|java|kt|go|rs|c|h|cc|cpp|hpp|cs|php|rb|swift|sql|sh|css|scss|vue|lua|r)$/i
const SPREADSHEET_TYPE =
  /^application\/(vnd\.ms-excel|vnd\.openxmlformats-officedocument\.spreadsheetml|vnd\.oasis\.opendocument\.spreadsheet)/
const SPREADSHEET_NAME = /\.(xlsx?|xlsm|xlsb|ods|csv|tsv)$/i

/** Types of extensions that browsers often do not know. */
const TYPES_BY_EXTENSION: Record<string, string> = {
  pdf: 'application/pdf',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  rtf: 'application/rtf',
  epub: 'application/epub+zip',
  zip: 'application/zip',
  eml: 'message/rfc822',
  msg: 'application/vnd.ms-outlook',
  ipynb: 'application/x-ipynb+json',
  json: 'application/json',
  csv: 'text/csv',
  txt: 'text/plain',
  srt: 'application/x-subrip',
  vtt: 'text/vtt',
  html: 'text/html',
  htm: 'text/html',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
  bmp: 'image/bmp',
  avif: 'image/avif',
  heic: 'image/heic',
  heif: 'image/heif',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  m4a: 'audio/mp4',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
  webm: 'audio/webm',
}

/** Tells whether models can be shown pictures of a type: from others they get only the text that was read. */
export const canModelsSee = (type: string): boolean => /^image\/(png|jpeg|webp|gif)$/.test(type)

export type UploadFile = { name: string; type: string; size: number }

const getExtension = (name: string): string => /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? ''

/** Returns the type of a file: the browser's, without parameters; markdown by its name (specification section 5). */
export function toFileType({ name, type }: Pick<UploadFile, 'name' | 'type'>): string {
  if (MARKDOWN.test(name)) return 'text/markdown'
  const mimeType = type.split(';')[0]!.trim().toLowerCase()
  return mimeType || (TYPES_BY_EXTENSION[getExtension(name)] ?? 'application/octet-stream')
}

const isText = (name: string, type: string): boolean => TEXT_TYPE.test(type) || TEXT_NAME.test(name)
const isSpreadsheet = (name: string, type: string): boolean =>
  SPREADSHEET_TYPE.test(type) || SPREADSHEET_NAME.test(name)

/** Returns why an account of this level may not upload a file, for the person; null where it may. Sizes count to the byte. */
export function checkUpload(level: Level, file: UploadFile): string | null {
  const type = toFileType(file)
  if (file.size < 1) return uploadMessages.empty
  if (isText(file.name, type) || isSpreadsheet(file.name, type))
    return file.size > MAX_TEXT_BYTES ? uploadMessages.text_too_large : null
  const { name, max_mb, audio_mb } = getLevelLimit(level)
  const isAudio = type.startsWith('audio/')
  const limitMb = isAudio ? audio_mb : max_mb
  if (file.size <= limitMb * MB) return null
  const size = limitMb === 1024 ? '1G' : `${limitMb}M`
  const subject = isAudio && audio_mb < max_mb ? '上传音频文件' : '上传文件'
  return max_mb === 1024
    ? `${name}${subject}大小不能超过${size}`
    : `${name}${subject}大小不能超过${size}，请提升用户等级解除限制`
}

/** Returns the largest file that an account of this level may upload, bytes. */
export const getMaxUploadBytes = (level: Level): number => getLevelLimit(level).max_mb * MB

/** Returns an account's limits by level: for all files, and for unsaved ones, in files and bytes. */
export function getStorageLimits(level: Level) {
  const { storage_mb, unsaved } = getLevelLimit(level)
  return {
    max_bytes: storage_mb * MB,
    max_unsaved_files: unsaved.files,
    max_unsaved_bytes: unsaved.mb * MB,
  }
}

/** Returns a file's path below its owner's prefix: `image/` or `file/`, the day in China (`2026-11-22`), md5 and extension. */
export function toObjectPath(md5: string, file: Pick<UploadFile, 'name' | 'type'>, chinaDay: string): string {
  const folder = toFileType(file).startsWith('image/') ? 'image' : 'file'
  return `${folder}/${chinaDay.replaceAll('-', '/')}/${md5}.${getExtension(file.name) || 'bin'}`
}

/** Messages about work in the background (specification section 8). */
export const taskMessages = {
  list_failed: '获取任务列表失败，请刷新重试',
  retry_failed: '重试任务失败，请刷新重试',
  delete_failed: '删除任务失败，请刷新重试',
  preview_failed: '预览任务结果失败，请刷新重试',
  running: '任务正在执行，请稍后再试',
  failed: '任务执行失败',
} as const
