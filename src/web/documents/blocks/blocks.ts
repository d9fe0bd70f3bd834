export { AddDocuments } from './AddDocuments.tsx'
export { BlockList } from './BlockList.tsx'
export { BlockPage } from './BlockPage.tsx'
export { DocumentPassage } from './DocumentPassage.tsx'
export { StorageUse } from './StorageUse.tsx'
export { useMarkedPassage } from './passage/useMarkedPassage.ts'

export { describePlace } from './places.ts'
