import { writeFileSync } from 'node:fs'
import { catalogueJsonSchema } from './catalogue-schema.ts'

// Run by hand after a change of the schema: node src/server/llm/write-schema.ts
writeFileSync(new URL('../../../config/models.schema.json', import.meta.url), catalogueJsonSchema())
