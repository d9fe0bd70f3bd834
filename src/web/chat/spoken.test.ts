import { expect, test } from 'vitest'
import { spoken } from './spoken.ts'

test('only whole paragraphs are read aloud, each once, and the rest when the answer is whole', () => {
  const text = '## 源头\n\n**渠**水见[论文](https://a.example)。\n\n- 还在写'
  const first = spoken(text.slice(0, 8), 0, false)
  expect(first).toEqual({ words: '源头', to: 5 })
  const second = spoken(text, first.to, false)
  expect(second.words).toBe('渠 水见论文。')
  expect(spoken(text, second.to, false)).toEqual({ words: '', to: second.to })
  expect(spoken(text, second.to, true)).toEqual({ words: '还在写', to: text.length })
})

test('a text that begins anew is not read from behind its end', () => {
  expect(spoken('短', 10, false)).toEqual({ words: '', to: 10 })
})
