import { create } from 'zustand'
import { targetLanguages, type TargetLanguage } from '#contract/translate/languages.ts'
import { sharedStorage } from '#web/core/browserStorage.ts'

const KEY = 'wenqu.fanyi'

export type TranslationSettings = {
  /** The last chosen target language; null if none was chosen. */
  target: TargetLanguage | null
  /** The tone, as the model gets it. */
  tone: string
  /** Translates at every pause in typing. Each time costs coins, so it is off by default. */
  isLive: boolean
}

function readSettings(): TranslationSettings {
  try {
    const storedSettings = JSON.parse(sharedStorage.getItem(KEY) ?? '{}') as Partial<TranslationSettings>
    const target =
      storedSettings.target && storedSettings.target in targetLanguages ? storedSettings.target : null
    return { target, tone: storedSettings.tone ?? '', isLive: storedSettings.isLive === true }
  } catch {
    return { target: null, tone: '', isLive: false }
  }
}

/** The person's settings for translating texts, files and web pages, kept in this browser. */
export const useTranslationSettings = create<TranslationSettings>()(readSettings)

export function updateSettings(patch: Partial<TranslationSettings>): void {
  useTranslationSettings.setState(patch)
  sharedStorage.setItem(KEY, JSON.stringify(useTranslationSettings.getState()))
}

/** Returns the chosen target language, else English for a Chinese text and Chinese for any other. */
export const resolveTarget = (
  chosenTarget: TargetLanguage | null,
  source: TargetLanguage | null,
): TargetLanguage => chosenTarget ?? (source?.startsWith('zh') ? 'en' : 'zh-CN')

export const languages = Object.entries(targetLanguages) as [TargetLanguage, string][]
