import { create } from 'zustand'
import { targetLanguages, type TargetLanguage } from '#contract/translate/languages.ts'
import { sharedStorage } from '#web/core/browserStorage.ts'

const KEY = 'wenqu.fanyi'

export type TranslationSettings = {
  /** What was chosen last; null while nothing was. */
  target: TargetLanguage | null
  /** How it is to sound, as the model is told. */
  tone: string
  /** Translates whenever the typing pauses: each time costs, so that it is off until it is asked for. */
  isLive: boolean
}

function readSettings(): TranslationSettings {
  try {
    const kept = JSON.parse(sharedStorage.getItem(KEY) ?? '{}') as Partial<TranslationSettings>
    const target = kept.target && kept.target in targetLanguages ? kept.target : null
    return { target, tone: kept.tone ?? '', isLive: kept.isLive === true }
  } catch {
    return { target: null, tone: '', isLive: false }
  }
}

/** How this person has texts, files and web pages translated; kept in the browser. */
export const useTranslationSettings = create<TranslationSettings>()(readSettings)

export function updateSettings(patch: Partial<TranslationSettings>): void {
  useTranslationSettings.setState(patch)
  sharedStorage.setItem(KEY, JSON.stringify(useTranslationSettings.getState()))
}

/** Into which language: the one that was chosen, else English of a Chinese text and Chinese of any other. */
export const resolveTarget = (chosen: TargetLanguage | null, source: TargetLanguage | null): TargetLanguage =>
  chosen ?? (source?.startsWith('zh') ? 'en' : 'zh-CN')

export const languages = Object.entries(targetLanguages) as [TargetLanguage, string][]
