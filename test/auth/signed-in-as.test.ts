import { expect, test } from 'vitest'
import { SIGNED_IN_HEADER } from '#contract/auth-types.ts'
import { errors } from '#contract/errors.ts'
import { useWorld } from '../world/use-world.ts'

const world = useWorld()

test('a page that shows somebody as signed in acts for nobody else: not as a guest, not as another person', async () => {
  const [one, other] = [await world.user(), await world.user()]
  const { uuid } = await one.call('GET /api/user/info', {})
  const newSession = (cookie: string, shown?: string) =>
    fetch(`${world.url}/api/chat/session/new`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Requested-With': 'XMLHttpRequest',
        ...(cookie && { Cookie: cookie }),
        ...(shown && { [SIGNED_IN_HEADER]: shown }),
      },
      body: JSON.stringify({ chatbot: 'dati' }),
    })
  expect((await newSession(one.cookie, uuid)).status).toBe(200)
  for (const cookie of ['', other.cookie]) {
    const refused = await newSession(cookie, uuid)
    expect(refused.status).toBe(401)
    expect(refused.headers.get('set-cookie')).toBeNull()
    expect(await refused.json()).toMatchObject({
      code: 'login_expired',
      message: errors.login_expired.message,
    })
  }
  expect((await newSession('')).status).toBe(200)
})
