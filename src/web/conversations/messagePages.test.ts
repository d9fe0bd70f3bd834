import { beforeEach, expect, test, vi } from 'vitest'
import type { ChatMessage } from '#contract/chat.ts'
import { ask } from './ask.ts'
import { getConversation, reloadMessages, updateConversation } from './conversationStore.ts'
import { jumpToMessage, jumpToNewest, loadNewerMessages, loadOlderMessages } from './messagePages.ts'
import { createLocalQuestion, type Message } from './messages.ts'

const server = (id: string): ChatMessage => {
  const { key: _, local: __, ...plain } = { ...createLocalQuestion(id, 'm'), id, versions: [id] }
  return plain
}
const createLoaded = (id: string): Message => ({ ...server(id), key: id })
const toPage = (ids: string[], more = {}) => ({
  messages: ids.map(server),
  has_more: false,
  has_newer: false,
  session: null,
  ...more,
})

type PendingRequest = { url: string; answer: (body: unknown, status?: number) => void }
let pendingRequests: PendingRequest[] = []
vi.stubGlobal(
  'fetch',
  (url: string) =>
    new Promise((resolve) => {
      const answer = (body: unknown, status = 200) => resolve(new Response(JSON.stringify(body), { status }))
      pendingRequests.push({ url, answer })
    }),
)
/** Responds to the oldest request whose address contains `part`. */
async function answer(part: string, body: unknown, status?: number): Promise<void> {
  const openRequest = pendingRequests.find(({ url }) => url.includes(part))
  if (!openRequest) throw new Error(`nothing was asked for with ${part}`)
  pendingRequests = pendingRequests.filter((one) => one !== openRequest)
  openRequest.answer(body, status)
  // The response is read in several steps, none of which waits for anything else.
  await new Promise((resolve) => setTimeout(resolve))
}

let id = ''
let last = 0
const show = () => {
  const { messages, loading, targetMessageId } = getConversation(id)!
  return { ids: messages.map((message) => message.id), loading, targetMessageId }
}
beforeEach(() => {
  id = `s${++last}`
  pendingRequests = []
})

/** Shows a part further up, with more messages on both sides. */
const showPart = () =>
  updateConversation(id, { messages: ['10', '11'].map(createLoaded), has_more: true, has_newer: true })

test.each([
  ['newer', loadNewerMessages, 'after=11', ['12', '13']],
  ['older', loadOlderMessages, 'before=10', ['8', '9']],
] as const)('whoever goes to the newest does not wait for %s ones', async (_, load, part, late) => {
  showPart()
  void load(id)
  void jumpToNewest(id)
  expect(show()).toEqual({ ids: [], loading: 'first', targetMessageId: null })
  await answer(part, toPage([...late], { has_more: true, has_newer: true }))
  expect(show()).toEqual({ ids: [], loading: 'first', targetMessageId: null })
  await answer('/messages', toPage(['98', '99'], { has_more: true }))
  expect(show()).toEqual({ ids: ['98', '99'], loading: null, targetMessageId: null })
  expect(getConversation(id)).toMatchObject({ has_more: true, has_newer: false })
})

test('of two messages that are jumped to the second is shown, whichever comes first', async () => {
  void jumpToMessage(id, 'a')
  void jumpToMessage(id, 'b')
  await answer('around=b', toPage(['b'], { has_newer: true }))
  await answer('around=a', toPage(['a'], { has_newer: true }))
  expect(show()).toEqual({ ids: ['b'], loading: null, targetMessageId: 'b' })
})

test('a message that is there already is gone to, and not left for one that comes late', async () => {
  showPart()
  void jumpToMessage(id, 'a')
  void jumpToMessage(id, '11')
  expect(show()).toEqual({ ids: ['10', '11'], loading: null, targetMessageId: '11' })
  await answer('around=a', toPage(['a'], { has_newer: true }))
  expect(show()).toEqual({ ids: ['10', '11'], loading: null, targetMessageId: '11' })
})

test('a message is jumped to while older ones are on their way', async () => {
  showPart()
  void loadOlderMessages(id)
  void jumpToMessage(id, 'a')
  await answer('around=a', toPage(['a'], { has_newer: true }))
  await answer('before=10', toPage(['8', '9']))
  expect(show()).toEqual({ ids: ['a'], loading: null, targetMessageId: 'a' })
})

test('a jump that fails leaves the one after it alone', async () => {
  void jumpToMessage(id, 'a')
  void jumpToMessage(id, 'b')
  await answer('around=a', {}, 404)
  expect(show().loading).toBe('first')
  await answer('around=b', toPage(['b']))
  expect(show()).toEqual({ ids: ['b'], loading: null, targetMessageId: 'b' })
})

test('a message is jumped to while the newest ones are on their way', async () => {
  const reloading = reloadMessages(id)
  void jumpToMessage(id, 'a')
  await answer('/messages?', toPage(['98', '99'], { has_more: true }))
  await reloading
  expect(show().loading).toBe('first')
  await answer('around=a', toPage(['a'], { has_newer: true }))
  expect(show()).toEqual({ ids: ['a'], loading: null, targetMessageId: 'a' })
})

test.each([[['98', '99']], [[]]])(
  'a question that is asked after %j stays where it is when a part further up comes late',
  async (before) => {
    updateConversation(id, { messages: before.map(createLoaded) })
    void jumpToMessage(id, 'a')
    void ask(id, '问', 'm')
    const expectedIds = [...before, expect.stringMatching('local'), expect.stringMatching('local')]
    expect(show()).toEqual({ ids: expectedIds, loading: null, targetMessageId: null })
    await answer('around=a', toPage(['a'], { has_newer: true }))
    expect(show()).toEqual({ ids: expectedIds, loading: null, targetMessageId: null })
    await answer('/create', { question: server('100'), chat_message: { ...server('101'), role: 'ai' } })
    expect(show().ids).toEqual([...before, '100', '101'])
    // Messages before the question may be missing, so they are read again.
    await answer('/messages?', toPage(['98', '99', '100', '101']))
    expect(show().ids).toEqual(['98', '99', '100', '101'])
  },
)
