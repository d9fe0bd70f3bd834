import { expect, test } from 'vitest'
import { isAlreadyIn } from '#server/assistants/translate/engine/language.ts'

const ENGLISH = 'The river runs on to the sea, and the people of the town are glad that it is there for them.'
const CHINESE = '这条河一直流到海里，镇上的人们都为有它而高兴，孩子们在这里玩耍。'
const TRADITIONAL = '這條河一直流到海裡，鎮上的人們都為有它而高興，孩子們在這裡玩耍。'
const GERMAN =
  'Der Fluss fließt bis zum Meer, und die Leute in der Stadt sind froh, dass es ihn für sie gibt.'
const SPANISH =
  'El río corre hasta el mar, y la gente del pueblo se alegra de que esté ahí para todos los que viven.'
const JAPANESE = 'この川は海まで流れていて、町の人々はそれをとても喜んでいます。'
const texts = (...list: string[]) => list.map((text) => ({ text }))

test.each([
  [ENGLISH, 'en'],
  [CHINESE, 'zh-CN'],
  [TRADITIONAL, 'zh-TW'],
  [GERMAN, 'de'],
  [SPANISH, 'es'],
  [JAPANESE, 'ja'],
] as const)('“%s” is in %s, and in no other of these languages', (text, own) => {
  for (const language of ['en', 'zh-CN', 'zh-TW', 'de', 'es', 'ja', 'pt', 'it', 'nl', 'sv'] as const)
    expect([language, isAlreadyIn(texts(text), language)]).toEqual([language, language === own])
})

test('a document in two languages, and one of names or a few words, is translated without a question', () => {
  const long = (text: string): { text: string }[] => texts(...Array.from({ length: 30 }, () => text))
  expect(isAlreadyIn([...long(ENGLISH), ...long(CHINESE)], 'en')).toBe(false)
  expect(isAlreadyIn([...long(ENGLISH), ...texts(CHINESE)], 'en')).toBe(true)
  expect(isAlreadyIn(long(`${ENGLISH} ${CHINESE.repeat(3)}`), 'zh-CN')).toBe(false)
  expect(isAlreadyIn(texts('Peter Müller', 'OK', 'New York'), 'en')).toBe(false)
  expect(isAlreadyIn(texts('价格', '2024'), 'zh-CN')).toBe(false)
  expect(isAlreadyIn([], 'en')).toBe(false)
})
