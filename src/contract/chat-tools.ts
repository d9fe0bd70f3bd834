/**
 * Tool of POST /api/chat/create: the model thinks before it answers. Without it a model with switchable thinking does not think;
 * a model that always thinks ignores it. This file has no schema, so that the browser can read it.
 */
export const THINKING = 'thinking'
