import { z } from 'zod'

/** A model in a request: names of retired models are answered by their successors. */
export const modelId = z.string().min(1).max(120).describe('模型 ID')

export const sessionId = z.uuid().describe('会话编号')

/** A turn: its question and its answers share this id. */
export const turnId = z.uuid().describe('一轮的编号：问题和它的回答共用')
