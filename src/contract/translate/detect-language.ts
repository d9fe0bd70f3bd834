import type { TargetLanguage } from './languages.ts'

/** Characters that suffice to detect the language of a text. */
const SAMPLE_CHARS = 2_000
/** Smallest share of a script that decides the language, whatever names and words in other scripts occur. */
const MIN_SHARE = 0.2

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** Characters that only simplified or only traditional Chinese has, from the most common words. */
const SIMPLIFIED =
  /[这们个来说时为会对发开关过还进没学国见长问间头点电话书车东马鱼鸟语读请谢让认识觉听写万与专业严两么义乐习乡买乱争亲亿仅从众优传伤伟体华单卖历厂压应张当录总战户报护择拥拟择断无旧显权条极样检欢气汉汇沟测济浅温满灵炼热爱独环现电画异疗监确种称穷竞笔紧纪线练组细终经结给绝统继续维绿网罗职联脑脚苏药获营虑虽补装观规视览计订认讨训议记讲许论设访证评词试诗话询该详误说课调谁谈负财责败货质购贵费资赛赢转轮软轻载较边达运近这进远连适选释针钟钱铁银错键锁镇门闭问闲队阶际陆险随难预领题颜风飞饭饮馆验]/g
const TRADITIONAL =
  /[這們個來說時為會對發開關過還進沒學國見長問間頭點電話書車東馬魚鳥語讀請謝讓認識覺聽寫萬與專業嚴兩麼義樂習鄉買亂爭親億僅從眾優傳傷偉體華單賣歷廠壓應張當錄總戰戶報護擇擁擬斷無舊顯權條極樣檢歡氣漢匯溝測濟淺溫滿靈煉熱愛獨環現畫異療監確種稱窮競筆緊紀線練組細終經結給絕統繼續維綠網羅職聯腦腳蘇藥獲營慮雖補裝觀規視覽計訂討訓議記講許論設訪證評詞試詩詢該詳誤課調誰談負財責敗貨質購貴費資賽贏轉輪軟輕載較邊達運遠連適選釋針鐘錢鐵銀錯鍵鎖鎮門閉閒隊階際陸險隨難預領題顏風飛飯飲館驗]/g

type Script = { pattern: RegExp; resolve: (text: string) => TargetLanguage }

/** Scripts that determine the language, or leave few candidates. Kana precedes Han, because Japanese has both. */
const scripts: readonly Script[] = [
  { pattern: /[\p{Script=Hiragana}\p{Script=Katakana}]/gu, resolve: () => 'ja' },
  { pattern: /\p{Script=Hangul}/gu, resolve: () => 'ko' },
  {
    pattern: /\p{Script=Han}/gu,
    resolve: (text) => (count(text, TRADITIONAL) > count(text, SIMPLIFIED) ? 'zh-TW' : 'zh-CN'),
  },
  { pattern: /\p{Script=Cyrillic}/gu, resolve: (text) => (/[іїєґ]/i.test(text) ? 'uk' : 'ru') },
  { pattern: /\p{Script=Arabic}/gu, resolve: (text) => (/[پچژگکی]/.test(text) ? 'fa' : 'ar') },
  { pattern: /\p{Script=Hebrew}/gu, resolve: () => 'he' },
  { pattern: /\p{Script=Greek}/gu, resolve: () => 'el' },
  { pattern: /\p{Script=Devanagari}/gu, resolve: () => 'hi' },
  { pattern: /\p{Script=Thai}/gu, resolve: () => 'th' },
]

/** Words frequent in one language and rare in the others, and letters that few languages have. */
const latin: Partial<Record<TargetLanguage, { words: string; letters?: RegExp }>> = {
  en: {
    words:
      'the and of to is that it for you was with are this have not be from they which what hello please thanks my your we how can will good i a in on at by an or if',
  },
  fr: {
    words:
      'le la les des et est une dans pour que qui pas vous nous avec sur ce cette je il elle sont mais bonjour merci au aux du un en',
    letters: /[œçêèùëîâ]/gi,
  },
  de: {
    words:
      'der die das und ist nicht ein eine ich zu mit den von für auf sich dem wir sie auch es im bitte danke werden sind',
    letters: /[äöüß]/gi,
  },
  es: {
    words:
      'el los las y es una que de por para con no se su está como más pero hola gracias usted muy lo del al un en',
    letters: /[ñ¿¡]/gi,
  },
  pt: {
    words:
      'o os as e é uma que de por para com não se seu está como mais mas olá obrigado você muito do da dos em um',
    letters: /[ãõ]/gi,
  },
  it: {
    words:
      'il lo gli e è una che di per con non si sono come più ma ciao grazie questo della del dei nel alla un',
    letters: /[ìò]/gi,
  },
  nl: {
    words: 'de het een en is van dat niet ik je zijn voor met op maar ook wij hallo bedankt deze naar aan',
  },
  pl: { words: 'i w na jest nie się to że z do jak ale dla są czy dziękuję proszę', letters: /[łąęśżźćń]/gi },
  sv: { words: 'och är att det som en på inte för med jag vi den till av har hej tack', letters: /[å]/gi },
  tr: {
    words: 'bir ve bu için ne değil çok ben sen var mı merhaba teşekkürler olarak ile',
    letters: /[ışğ]/g,
  },
  vi: {
    words: 'là và của không có người một được cho tôi bạn này xin chào cảm ơn',
    letters: /[ăđơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/gi,
  },
  id: {
    words: 'yang dan di ini itu dengan untuk tidak dari saya anda pada adalah akan bisa terima kasih halo',
  },
  ms: {
    words: 'yang dan di ini itu dengan untuk tidak dari saya awak pada ialah akan boleh terima kasih ialah',
  },
}
const LETTER_POINTS = 2

/** Ranks the languages of Latin letters by the words and letters of a text, the best first; without those that have none. */
function rankLatin(text: string, words: string[]): { language: TargetLanguage; points: number }[] {
  return Object.entries(latin)
    .map(([language, { words: common, letters }]) => {
      const commonWords = new Set(common.split(' '))
      const points =
        words.filter((word) => commonWords.has(word)).length +
        (letters ? count(text, letters) * LETTER_POINTS : 0)
      return { language: language as TargetLanguage, points }
    })
    .filter(({ points }) => points > 0)
    .toSorted((a, b) => b.points - a.points)
}

const listWords = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? []

function detectLatin(text: string): TargetLanguage | null {
  const words = listWords(text)
  const [best] = rankLatin(text, words)
  if (best) return best.language
  return words.join('').length >= 2 && /^[\x20-\x7e\s’“”—–]*$/.test(text) ? 'en' : null
}

const ADDRESSES = /https?:\/\/\S+|\S+@\S+/g

/** Detects the language of a text by its scripts and most frequent words; null if they are not conclusive. */
export function detectLanguage(text: string): TargetLanguage | null {
  const sample = text.replace(ADDRESSES, ' ').slice(0, SAMPLE_CHARS)
  const letters = count(sample, /\p{L}/gu)
  if (!letters) return null
  const script = scripts.find(({ pattern }) => count(sample, pattern) / letters >= MIN_SHARE)
  return script ? script.resolve(sample) : detectLatin(sample)
}

/** Least share of a language's script, and of its most common words, in a text that is surely in that language. */
const SURE_SCRIPT = 0.6
const SURE_WORDS = 0.15
/** Least lead over the next language, as a factor. */
const SURE_LEAD = 1.5
/** Fewer letters, or Chinese characters, may be names or terms that another language uses too. */
const MIN_LETTERS = 60
const MIN_CHARACTERS = 8

/** Tells whether a text is surely in a language; in doubt it is not. */
export function isSurelyIn(text: string, language: TargetLanguage): boolean {
  const sample = text.replace(ADDRESSES, ' ')
  const letters = count(sample, /\p{L}/gu)
  const share = (pattern: RegExp): number => count(sample, pattern) / Math.max(1, letters)
  const kana = share(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu)
  const han = share(/\p{Script=Han}/gu)
  if (language.startsWith('zh')) {
    const [simplified, traditional] = [count(sample, SIMPLIFIED), count(sample, TRADITIONAL)]
    const [own, other] = language === 'zh-CN' ? [simplified, traditional] : [traditional, simplified]
    return han >= SURE_SCRIPT && kana < 0.05 && letters >= MIN_CHARACTERS && own > other * 4
  }
  if (language === 'ja') return kana >= MIN_SHARE && kana + han >= SURE_SCRIPT && letters >= MIN_CHARACTERS
  const script = scripts.find(({ pattern }) => share(pattern) >= SURE_SCRIPT)
  // Letters that only Russian has among its neighbours.
  if (script)
    return (
      letters >= MIN_LETTERS / 2 &&
      script.resolve(sample) === language &&
      (language !== 'ru' || /[ыэ]/i.test(sample))
    )
  if (share(/\p{Script=Latin}/gu) < SURE_SCRIPT || letters < MIN_LETTERS) return false
  const words = listWords(sample)
  const [best, next] = rankLatin(sample, words)
  return (
    best?.language === language &&
    best.points >= words.length * SURE_WORDS &&
    best.points >= (next?.points ?? 0) * SURE_LEAD
  )
}

/** The question before a document that seems to be in the target language already is translated. */
export const askAlreadyIn = (language: string): string => `这个文件看起来已经是${language}，仍要翻译吗？`
