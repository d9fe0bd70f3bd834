/**
 * Tool of POST /api/chat/create: the model thinks before it answers. Without it a model that may be switched does not think;
 * one that always thinks is not changed by it. No schema, so that the browser can read it.
 */
export const THINKING = 'thinking'
