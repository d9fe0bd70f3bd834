import type { creditCalls, sandboxCalls } from '#contract/credit/credit.ts'
import type { Handlers } from '#server/core/http.ts'
import type { Credit } from './credit.ts'
import type { Sandbox } from './sandbox/sandbox.ts'

export const creditRoutes = (credit: Credit): Handlers<typeof creditCalls> => ({
  'GET /api/credit/plans': async () => credit.listPlans(),
  'POST /api/credit/orders': ({ body: { plan_id, pay_type } }, { visitor }) =>
    credit.orders.create(visitor.user_id, plan_id, pay_type),
  'GET /api/credit/orders/{id}': ({ params }, { visitor }) => credit.orders.get(visitor.user_id, params.id),
  'POST /api/credit/orders/{id}/cancel': ({ params }, { visitor }) =>
    credit.orders.cancel(visitor.user_id, params.id),
  'GET /api/user/invitations': (_, { visitor }) => credit.getInvitations(visitor.user_id),
  'GET /api/user/notify_setting': (_, { visitor }) => credit.lowBalance.getSetting(visitor.user_id),
  'PUT /api/user/notify_setting': ({ body }, { visitor }) =>
    credit.lowBalance.updateSetting(visitor.user_id, body),
  'POST /api/credit/notify/wechat': async ({ body }, { request }) => {
    await credit.handleNotification('wechat', body, request.headers)
    return undefined
  },
  'POST /api/credit/notify/alipay': async ({ body }, { request }) => {
    await credit.handleNotification('alipay', body, request.headers)
    // Alipay requires this word; after anything else it notifies again.
    return new Response('success')
  },
})

/** Handles the calls of the sandbox, if there is one. */
export const sandboxRoutes = (credit: Credit, sandbox: Sandbox): Handlers<typeof sandboxCalls> => ({
  'POST /api/credit/sandbox/pay': async ({ body: { order_id, notify, ...paid } }, { visitor }) => {
    const { id, price } = await credit.orders.get(visitor.user_id, order_id)
    const amount = paid.amount ?? Math.round(price * 100)
    const notification = await sandbox.pay(id, { ...paid, amount })
    if (notify) {
      const { body, headers } = notification
      // A refused notification concerns the sandbox, as it would concern a platform.
      await credit.handleNotification('sandbox', body, new Headers(headers)).catch(() => undefined)
    }
    return { order: await credit.orders.get(visitor.user_id, id), notification }
  },
  'POST /api/credit/notify/sandbox': async ({ body }, { request }) => {
    await credit.handleNotification('sandbox', body, request.headers)
    return undefined
  },
})
