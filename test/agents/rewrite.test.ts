import { expect, test } from 'vitest'
import { dependsOnConversation } from '#server/assistants/agents/rewrite.ts'

test.each([
  '那它的价格是多少元一个小时？',
  '这种情况下还要不要交押金？',
  '上述规定从哪一天开始实行？',
  '还有哪些人可以申请这个岗位？',
  '周末去租小船的话价格呢？',
  '押金呢？',
  'How much does it cost to rent for a week?',
])('%s may depend on the conversation', (question) => {
  expect(dependsOnConversation(question)).toBe(true)
})

test.each([
  '小船每小时的租金应该是多少元？',
  '除了小船以外还能租到其他船吗？',
  '水位因此上涨到了多少米？',
  '如何申请一张全年有效的钓鱼证？',
  'How much does a boat cost for a week?',
])('%s stands alone', (question) => {
  expect(dependsOnConversation(question)).toBe(false)
})
