import { expect, test } from 'vitest'
import { nextAnnouncement } from './liveAnnouncement.ts'

test('only whole paragraphs are read aloud, each once, and the rest when the answer is whole', () => {
  const text = '## 源头\n\n**渠**水见[论文](https://a.example)。\n\n- 还在写'
  const first = nextAnnouncement(text.slice(0, 8), 0, false)
  expect(first).toEqual({ words: '源头', to: 5 })
  const second = nextAnnouncement(text, first.to, false)
  expect(second.words).toBe('渠 水见论文。')
  expect(nextAnnouncement(text, second.to, false)).toEqual({ words: '', to: second.to })
  expect(nextAnnouncement(text, second.to, true)).toEqual({ words: '还在写', to: text.length })
})

test('a text that begins anew is not read from behind its end', () => {
  expect(nextAnnouncement('短', 10, false)).toEqual({ words: '', to: 10 })
})
