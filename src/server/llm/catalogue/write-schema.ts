import { writeFileSync } from 'node:fs'
import { buildCatalogueJsonSchema } from './schema.ts'

// Run by hand after a change of the schema: node src/server/llm/catalogue/write-schema.ts
writeFileSync(new URL('../../../../config/models.schema.json', import.meta.url), buildCatalogueJsonSchema())
