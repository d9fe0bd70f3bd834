import { z } from 'zod'
import { targetLanguages } from './languages.ts'
import type { TargetLanguage } from './languages.ts'

/** Apart from the names, which the browser shows without the schema library. */
export const targetLanguage = z.enum(Object.keys(targetLanguages) as TargetLanguage[])
