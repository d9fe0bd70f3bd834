import { authCalls } from './auth.ts'
import { chatCalls } from './chat.ts'
import { keyCalls, provisionKeyCalls } from './keys.ts'
import { modelCalls } from './models.ts'
import { statsCalls } from './stats.ts'
import { userCalls } from './users.ts'

/** Every call of the product, by feature. The OpenAPI document, the routes and the web's types all come from here. */
export const calls = {
  auth: authCalls,
  users: userCalls,
  chat: chatCalls,
  models: modelCalls,
  keys: keyCalls,
  provision_keys: provisionKeyCalls,
  stats: statsCalls,
}

type ByFeature = typeof calls
/** All calls as one map from key to call. */
export type AllCalls = ByFeature['auth'] &
  ByFeature['users'] &
  ByFeature['chat'] &
  ByFeature['models'] &
  ByFeature['keys'] &
  ByFeature['provision_keys'] &
  ByFeature['stats']
