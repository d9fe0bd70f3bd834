import type { CreditOrder, NotifySetting, PayType } from '#contract/credit/credit.ts'
import { request } from '#web/core/api.ts'
import { clearUserOn401 } from '#web/core/clearUserOn401.ts'
import { queryClient, useQuery } from '#web/core/queryClient.ts'
import { creditText } from '#web/text/credit/credit.ts'

/** Polling interval of an order that waits for its payment, ms. */
const POLL_MS = 2_000

export const useCreditPlans = () =>
  useQuery({
    queryKey: ['credit', 'plans'],
    queryFn: ({ signal }) => request('GET /api/credit/plans', {}, { signal }),
  })

const toOrderKey = (id: string) => ['credit', 'orders', id] as const

/** An order, polled until it is final. */
export const useOrder = (order: CreditOrder) =>
  useQuery({
    queryKey: toOrderKey(order.id),
    queryFn: ({ signal }) =>
      clearUserOn401(request('GET /api/credit/orders/{id}', { params: { id: order.id } }, { signal })),
    initialData: order,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? POLL_MS : false),
    // The page may be in the background while the person pays on a phone.
    refetchIntervalInBackground: true,
  })

const setOrder = (order: CreditOrder): CreditOrder => {
  queryClient.setQueryData(toOrderKey(order.id), order)
  return order
}

/** Calls for orders. They throw ApiError. */
export const orderCalls = {
  create: (planId: string, payType: PayType) =>
    clearUserOn401(
      request(
        'POST /api/credit/orders',
        { body: { plan_id: planId, pay_type: payType } },
        { failed: creditText.orderFailed },
      ),
    ),
  cancel: async ({ id }: CreditOrder) =>
    setOrder(
      await clearUserOn401(
        request(
          'POST /api/credit/orders/{id}/cancel',
          { params: { id } },
          { failed: creditText.cancelFailed },
        ),
      ),
    ),
  paySandbox: async ({ id }: CreditOrder) => {
    const { order } = await clearUserOn401(
      request('POST /api/credit/sandbox/pay', { body: { order_id: id } }),
    )
    return setOrder(order)
  },
}

const notifySettingKey = ['credit', 'notify_setting'] as const

export const useNotifySetting = () =>
  useQuery({
    queryKey: notifySettingKey,
    queryFn: ({ signal }) => clearUserOn401(request('GET /api/user/notify_setting', {}, { signal })),
  })

/** Throws ApiError. */
export async function saveNotifySetting(setting: NotifySetting): Promise<NotifySetting> {
  const savedSetting = await clearUserOn401(
    request('PUT /api/user/notify_setting', { body: setting }, { failed: creditText.notifySaveFailed }),
  )
  queryClient.setQueryData(notifySettingKey, savedSetting)
  return savedSetting
}

export type Invitations = NonNullable<ReturnType<typeof useInvitations>['data']>

/** The invitations by the person's own link and their rewards. */
export const useInvitations = () =>
  useQuery({
    queryKey: ['credit', 'invitations'],
    queryFn: ({ signal }) => clearUserOn401(request('GET /api/user/invitations', {}, { signal })),
  })
