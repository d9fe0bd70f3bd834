import { expect, test } from 'vitest'
import { detectLanguage } from '#contract/translate/detect-language.ts'

test.each([
  ['半亩方塘一鉴开，天光云影共徘徊。', 'zh-CN'],
  ['這個問題沒有人會說。', 'zh-TW'],
  ['使用 React 和 TypeScript 编写的组件', 'zh-CN'],
  ['水がきれいなのはなぜですか。', 'ja'],
  ['물이 맑은 이유는 무엇입니까?', 'ko'],
  ['Why is the water so clear? Because it comes from a living spring.', 'en'],
  ['Hello', 'en'],
  ["Pourquoi l'eau est-elle si claire ? C'est parce que la source est vive.", 'fr'],
  ['Warum ist das Wasser so klar? Weil die Quelle lebt.', 'de'],
  ['¿Por qué el agua está tan clara?', 'es'],
  ['Por que a água não é mais clara? Você está muito bem.', 'pt'],
  ["Perché l'acqua è così limpida? Grazie a una sorgente che non si ferma.", 'it'],
  ['Waarom is het water niet troebel? Het komt van een bron.', 'nl'],
  ['Dlaczego woda jest tak przejrzysta?', 'pl'],
  ['Varför är vattnet så klart? Det är inte svårt att förstå.', 'sv'],
  ['Почему вода такая чистая?', 'ru'],
  ['Чому вода така чиста і прозора?', 'uk'],
  ['Su neden bu kadar berrak değil?', 'tr'],
  ['لماذا الماء صافٍ هكذا؟', 'ar'],
  ['چرا آب این‌قدر زلال است؟', 'fa'],
  ['למה המים כל כך צלולים?', 'he'],
  ['Γιατί το νερό είναι τόσο καθαρό;', 'el'],
  ['पानी इतना साफ क्यों है?', 'hi'],
  ['ทำไมน้ำจึงใส', 'th'],
  ['Vì sao nước trong như vậy?', 'vi'],
  ['Mengapa air ini tidak keruh? Karena berasal dari mata air yang hidup.', 'id'],
])('%s', (text, language) => {
  expect(detectLanguage(text)).toBe(language)
})

test.each(['', '  ', '1,234.5', '😀', 'https://example.com/the/and/of'])(
  'nothing tells the language of %j',
  (text) => {
    expect(detectLanguage(text)).toBeNull()
  },
)
