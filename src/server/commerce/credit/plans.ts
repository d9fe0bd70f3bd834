import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { FOR_OPERATORS } from '#server/core/config.ts'
import { creditTypes, periods } from '#contract/credit/credit.ts'
import type { CreditPlan } from '#contract/credit/credit.ts'
import { periodLabels } from '#contract/credit/periods.ts'
import { levels } from '#contract/users.ts'
import { ConfigError } from '#server/core/settings/config-error.ts'
import { getLevelName } from '#server/accounts/users/users.ts'

const hundredths = z.number().multipleOf(0.01)
const planSchema = z.strictObject({
  id: z.string().regex(/^[\w-]{1,60}$/),
  type: z.enum(creditTypes),
  name: z.string().min(1).max(60),
  desc: z.string().max(200).default(''),
  /** In yuan. */
  price: hundredths.min(0.01).max(1_000_000),
  coins: hundredths.min(0).max(100_000_000),
  level: z.enum(levels).optional(),
  period: z.enum(periods),
})
const fileSchema = z.strictObject({
  plans: z
    .array(
      planSchema
        .refine(({ type, level }) => (type === 'membership') === (level !== undefined && level !== 'pro-0'), {
          message: 'a membership has a level above pro-0, a recharge has none',
        })
        .refine(({ type, period }) => type === 'recharge' || period !== 'forever', {
          message: 'a membership has a period that ends',
        })
        .refine(({ type, coins }) => type === 'membership' || coins > 0, {
          message: 'a recharge gives coins',
        }),
    )
    .max(100)
    .refine((plans) => new Set(plans.map(({ id }) => id)).size === plans.length, {
      message: 'two plans have the same id',
    }),
})

/** Reads PLANS_FILE. Throws ConfigError that names the file, the place and the reason. */
export function loadPlans(file: string): CreditPlan[] {
  try {
    return fileSchema.parse(JSON.parse(readFileSync(file, 'utf8')), FOR_OPERATORS).plans.map((plan) => ({
      ...plan,
      level: plan.level ?? null,
      level_name: plan.level ? getLevelName(plan.level) : null,
      period_label: periodLabels[plan.period],
    }))
  } catch (error) {
    const reason =
      error instanceof z.ZodError
        ? error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
        : (error as Error).message
    throw new ConfigError(`套餐文件有误，请检查 PLANS_FILE / the plans file is invalid: ${file}: ${reason}`)
  }
}
