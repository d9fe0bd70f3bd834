export {
  BLOCK_CHANNEL,
  blockListKey,
  invalidateBlocks,
  isAskable,
  isBeingRead,
  READING_POLL_MS,
  rememberBlock,
  toBlockKey,
  useBlock,
} from './blockQueries.ts'
export { describeReading } from './describeReading.ts'
export { embedLink } from './embedLink.ts'
export { FileDrop } from './FileDrop.tsx'
export { FileIcon } from './FileIcon.tsx'
export { formatBytes } from './formatBytes.ts'
export { LinkField } from './LinkField.tsx'
export { PictureField } from './picture/PictureField.tsx'
export { getUploadModule } from './uploadModule.ts'
export { describeUpload, UploadActions, UploadRow } from './UploadRow.tsx'
export { getUpload, isUnfinished, removeUpload, useUploads, type Upload } from './uploadStore.ts'
